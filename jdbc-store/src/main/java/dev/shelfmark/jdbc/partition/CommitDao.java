package dev.shelfmark.jdbc.partition;

import dev.shelfmark.jdbc.connection.NamedStatement;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition. A commit is a single statement outside of any transaction: one round trip, applied as a whole or not at
 * all. Its first part changes the head if it is at the expected version, and waits for whoever else is at it; the other parts
 * work on the id that the first returns, so that without it they do nothing.
 *
 * <p>At READ COMMITTED the first part sees what the other writer left, while the parts after it still look at the statement's
 * snapshot. Rightly so: who expects a version has seen it, so the snapshot has all that it and the versions before it put, and at any
 * later version the commit does not apply. Whether there is a record of a segment that is taken for new, and the rows of
 * those that are known, can be asked of it.
 */
public final class CommitDao {

    /** The SQLSTATE of a statement that was to update a row that is not there. */
    private static final String NOT_A_BOOLEAN = "22P02";

    private final SchemaName schema;
    private final Map<CommitStatement, NamedStatement> statements = new ConcurrentHashMap<>();

    public CommitDao(SchemaName schema) {
        this.schema = schema;
    }

    /** Whether the partition was at the expected version, and everything is put. */
    public boolean commit(Connection connection, PartitionKey key, PartitionCommit commit, long historyMillis)
            throws SQLException {
        Set<UUID> newSegments = commit.newSegments();
        CommitStatement shape = CommitStatement.of(commit, newSegments, historyMillis);
        Map<String, @Nullable Object> values = new HashMap<>();
        switch (shape.kept()) {
            case NOT -> {}
            case ONE -> ChangeColumns.ALL.putOne(commit.changes().get(0), values);
            case TOGETHER -> ChangeColumns.ALL.putAll(commit.changes(), values);
        }
        putHead(key, commit, values);
        if (shape.raises()) {
            values.put("epochs", epochs(commit.head()));
            values.put("offsets", offsets(commit.head()));
        }
        values.put("historyMillis", historyMillis);
        values.put("newSegments", newSegments.toArray(UUID[]::new));
        values.put("segments", commit.segments().size());
        try {
            return run(connection, shape, commit, values);
        } catch (SQLException e) {
            if (shape.rows() == CommitStatement.Rows.UPDATES && NOT_A_BOOLEAN.equals(e.getSQLState())) {
                // A row that somebody took away is put again, as it is by a commit of one.
                return run(connection, shape.withWholeRecords(), commit, values);
            }
            throw e;
        }
    }

    private boolean run(
            Connection connection, CommitStatement shape, PartitionCommit commit, Map<String, @Nullable Object> values)
            throws SQLException {
        if (shape.rows() == CommitStatement.Rows.ONE) {
            shape.columns().putOne(commit.segments().get(0), values);
        } else {
            shape.columns().putAll(commit.segments(), values);
        }
        NamedStatement text = statements.computeIfAbsent(shape, it -> NamedStatement.of(schema, it.text()));
        try (PreparedStatement statement = text.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static void putHead(PartitionKey key, PartitionCommit commit, Map<String, @Nullable Object> values) {
        PartitionHead head = commit.head();
        values.put("clusterId", key.clusterId());
        values.put("topicId", key.topicId());
        values.put("partition", key.partition());
        values.put("expectedVersion", commit.expectedVersion());
        values.put("version", head.version());
        values.put("topicName", head.topicName());
        values.put("liveSegments", head.liveSegments());
        values.put("maxOffsetSpan", head.maxOffsetSpan());
        values.put("deletionCode", StateCodes.code(head.deletion()));
    }

    private static int[] epochs(PartitionHead head) {
        return head.highestOffsets().keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static long[] offsets(PartitionHead head) {
        return head.highestOffsets().values().stream()
                .mapToLong(Long::longValue)
                .toArray();
    }
}
