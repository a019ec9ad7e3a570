package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition. A commit is a single statement outside of any transaction: one round trip, applied as a whole or not at
 * all. Its first part changes the head if it is at the expected version, and waits for whoever else is at it; the other parts
 * work on the id that the first returns, so that without it they do nothing.
 *
 * <p>At READ COMMITTED the first part sees what the other writer left, while the parts after it still look at the statement's
 * snapshot. That is why they only insert, and on conflict replace, which works on the newest row whatever the snapshot shows. Whether
 * there is a record of a segment that is taken for new is asked of the snapshot too, and rightly: who expects a version has seen
 * it, so the snapshot has all that it and the versions before it put, and at any later version the commit does not apply.
 */
final class CommitDao {

    /** What is in braces is the segment's: a parameter where there is one segment, else a column of the rows that come from arrays. */
    private static final String PUT_SEGMENTS = """
            , put as (
              insert into <schema>.segment (
                partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                custom_metadata, deleted_at, deleted_from)
              select head.id, {segmentId}, {startOffset}, {endOffset}, {maxTimestamp}, {eventTimestamp}, {segmentVersion},
                     {finishedVersion}, {size}, {brokerId}, {state}, {txnIndexEmpty},
                     cast({leaderEpochs} as int[]), cast({epochStartOffsets} as bigint[]), decode({customMetadata}, 'hex'),
                     case when {live} then null else now() end, case when {live} then null else :clusterId end
              from <rows>
              on conflict (partition_id, segment_id) do update set
                start_offset = excluded.start_offset,
                end_offset = excluded.end_offset,
                max_timestamp_ms = excluded.max_timestamp_ms,
                event_timestamp_ms = excluded.event_timestamp_ms,
                version = excluded.version,
                finished_version = excluded.finished_version,
                size_in_bytes = excluded.size_in_bytes,
                broker_id = excluded.broker_id,
                state = excluded.state,
                txn_index_empty = excluded.txn_index_empty,
                leader_epochs = excluded.leader_epochs,
                epoch_start_offsets = excluded.epoch_start_offsets,
                custom_metadata = excluded.custom_metadata,
                deleted_at = case when excluded.deleted_at is not null
                                  then coalesce(segment.deleted_at, excluded.deleted_at) end,
                deleted_from = excluded.deleted_from
            )""";

    private static final String RAISE_HIGHEST_OFFSETS = """
            , raised as (
              insert into <schema>.epoch_highest_offset (partition_id, leader_epoch, highest_offset, version)
              select head.id, e.leader_epoch, e.highest_offset, :version
              from head
              cross join unnest(:epochs, :offsets) as e (leader_epoch, highest_offset)
              on conflict (partition_id, leader_epoch) do update set
                highest_offset = excluded.highest_offset,
                version = excluded.version
            )""";

    /** In braces, likewise, what is the change's. */
    private static final String KEEP_CHANGES = """
            , kept as (
              insert into <schema>.state_change (
                partition_id, version, recorded_at, expires_at, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              select head.id, {changeVersion}, now(), now() + :historyMillis * interval '1 millisecond', {changeTimestamp},
                     cast({changeSegment} as uuid), {changeBroker}, cast({changeFrom} as int), {changeTo}
              from <rows>
              on conflict do nothing
            )""";

    /** The first commit of a partition. */
    private static final String CREATE = """
            with head as (
              insert into <schema>.topic_partition (
                cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion)
              values (
                :clusterId, :topicId, :partition, :topicName, :version, :liveSegments, :maxOffsetSpan,
                cast(:deletionCode as smallint))
              on conflict (cluster_id, topic_id, partition) do nothing
              returning id
            )""";

    /** Every later one. */
    private static final String UPDATE = """
            with head as (
              update <schema>.topic_partition
              set version = :version, topic_name = :topicName, live_segments = :liveSegments,
                  max_offset_span = :maxOffsetSpan, deletion = cast(:deletionCode as smallint)
              where cluster_id = :clusterId and topic_id = :topicId and partition = :partition and version = :expectedVersion
                <unless there>
              returning id
            )""";

    /** What a later commit asks when it takes a segment for new: one probe of the primary key, and no choice, as in {@link PartitionDao#BY_ID}. */
    private static final String UNLESS_IT_IS_THERE = """
            and (
              select true
              from <schema>.segment s
              where s.partition_id = topic_partition.id and s.segment_id = :segmentId
              limit 1) is null""";

    /** The same of many segments. */
    private static final String UNLESS_THEY_ARE_THERE = """
            and not exists (
              select from unnest(:newSegments) as taken (segment_id)
              where (
                select true
                from <schema>.segment s
                where s.partition_id = topic_partition.id and s.segment_id = taken.segment_id
                limit 1))""";

    /**
     * By the rows' places, which stay theirs while they are locked: whatever the planner expects, it can't come to read the whole table. A
     * plan for any limit expects a tenth of all that is due, and would join them by reading everything. Rows that another broker is about to
     * purge are passed over.
     */
    static final String PURGE = """
            delete from <schema>.segment
            where ctid = any (array(
              select ctid
              from <schema>.segment
              where deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond'
              order by deleted_at
              limit :limit
              for update skip locked
            ))
            """;

    /** The same way. */
    static final String PURGE_HISTORY = """
            delete from <schema>.state_change
            where ctid = any (array(
              select ctid
              from <schema>.state_change
              where expires_at <= now()
              order by expires_at
              limit :limit
              for update skip locked
            ))
            """;

    /**
     * What a commit is like; each has a statement of its own, without what it does not need, as taking arrays apart and looking at nothing
     * take the server as long as the change itself.
     *
     * @param first whether it is the partition's first
     * @param single whether there is one segment to put and one change of it, as in nearly every commit
     * @param takesForNew whether it is to apply only where nothing is kept of the segments that it takes for new; the first one's can't be there
     * @param raises whether it raises highest offsets
     * @param keeps whether its changes are kept in the history
     */
    record Shape(boolean first, boolean single, boolean takesForNew, boolean raises, boolean keeps) {

        static Shape of(PartitionCommit commit, Set<UUID> newSegments, boolean keepsHistory) {
            boolean first = commit.expectedVersion() == 0;
            boolean keeps = keepsHistory && !commit.changes().isEmpty();
            return new Shape(
                    first,
                    ofOneSegment(commit, newSegments),
                    !first && !newSegments.isEmpty(),
                    !commit.head().highestOffsets().isEmpty(),
                    keeps);
        }

        private static boolean ofOneSegment(PartitionCommit commit, Set<UUID> newSegments) {
            return commit.segments().size() == 1
                    && commit.changes().size() == 1
                    && (newSegments.isEmpty()
                            || newSegments.contains(commit.segments().get(0).segmentId()));
        }

        static List<Shape> all() {
            List<Shape> all = new ArrayList<>();
            for (int bits = 0; bits < 32; bits++) {
                all.add(new Shape(
                        (bits & 1) != 0, (bits & 2) != 0, (bits & 5) == 4, (bits & 8) != 0, (bits & 16) != 0));
            }
            return all;
        }

        String text() {
            String text = (first ? CREATE : UPDATE.replace("<unless there>", takesForNew ? unlessThere() : ""))
                    + rows(PUT_SEGMENTS, SegmentColumns.ALL.names())
                    + (raises ? RAISE_HIGHEST_OFFSETS : "")
                    + (keeps ? rows(KEEP_CHANGES, ChangeColumns.ALL.names()) : "")
                    + " select exists (select from head)";
            // The server copies the text with each run.
            return text.lines().map(String::strip).collect(Collectors.joining(" "));
        }

        private String unlessThere() {
            return single ? UNLESS_IT_IS_THERE : UNLESS_THEY_ARE_THERE;
        }

        private String rows(String text, List<String> columns) {
            if (single) {
                return text.replace("{", ":").replace("}", "").replace("<rows>", "head");
            }
            return text.replace("{", "s.")
                    .replace("}", "")
                    .replace(
                            "<rows>",
                            columns.stream()
                                            .map(name -> ":" + name)
                                            .collect(Collectors.joining(", ", "head cross join unnest(", ")"))
                                    + columns.stream().collect(Collectors.joining(", ", " as s (", ")")));
        }
    }

    private final SchemaName schema;
    private final Map<Shape, NamedStatement> statements = new ConcurrentHashMap<>();
    private final NamedStatement purge;
    private final NamedStatement purgeHistory;

    CommitDao(SchemaName schema) {
        this.schema = schema;
        purge = NamedStatement.of(schema, PURGE);
        purgeHistory = NamedStatement.of(schema, PURGE_HISTORY);
    }

    /**
     * Whether the partition was at the expected version, and everything is put.
     *
     * @param historyMillis how long the commit's changes are kept; 0 keeps none
     */
    boolean commit(Connection connection, PartitionKey key, PartitionCommit commit, long historyMillis)
            throws SQLException {
        Set<UUID> newSegments = commit.newSegments();
        Shape shape = Shape.of(commit, newSegments, historyMillis > 0);
        NamedStatement text = statements.computeIfAbsent(shape, it -> NamedStatement.of(schema, it.text()));
        Map<String, @Nullable Object> values = new HashMap<>();
        if (shape.single()) {
            SegmentColumns.ALL.putOne(commit.segments().get(0), values);
        } else {
            SegmentColumns.ALL.putAll(commit.segments(), values);
        }
        if (shape.keeps() && shape.single()) {
            ChangeColumns.ALL.putOne(commit.changes().get(0), values);
        } else if (shape.keeps()) {
            ChangeColumns.ALL.putAll(commit.changes(), values);
        }
        putHead(key, commit, values);
        if (shape.raises()) {
            values.put("epochs", epochs(commit.head()));
            values.put("offsets", offsets(commit.head()));
        }
        values.put("historyMillis", historyMillis);
        values.put("newSegments", newSegments.toArray(UUID[]::new));
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

    /** Removes rows of deleted segments; how many. */
    int purge(Connection connection, String clusterId, long retentionMillis, int limit) throws SQLException {
        Map<String, Object> values = Map.of("clusterId", clusterId, "retentionMillis", retentionMillis, "limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    /** Removes rows of the history whose time is over; how many. */
    int purgeHistory(Connection connection, int limit) throws SQLException {
        try (PreparedStatement statement = purgeHistory.prepare(connection, Map.of("limit", limit))) {
            return statement.executeUpdate();
        }
    }
}
