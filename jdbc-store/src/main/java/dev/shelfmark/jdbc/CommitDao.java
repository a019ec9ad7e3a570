package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
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

    /** The segments of a commit as rows: of any number, in an array for each column. */
    private static final String MANY = """
            unnest(
                :segmentId, :startOffset, :endOffset, :maxTimestamp, :eventTimestamp, :segmentVersion, :finishedVersion,
                :size, :brokerId, :state, :live, :txnIndexEmpty, :leaderEpochs, :epochStartOffsets, :customMetadata
              )""";

    /** Of one. */
    private static final String ONE = """
            (values (
                :segmentId, :startOffset, :endOffset, :maxTimestamp, :eventTimestamp, :segmentVersion, :finishedVersion,
                :size, :brokerId, :state, :live, :txnIndexEmpty, :leaderEpochs, :epochStartOffsets, :customMetadata
              ))""";

    private static final String PUT_SEGMENTS = """
            , put as (
              insert into <schema>.segment (
                partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                custom_metadata, deleted_at, deleted_from)
              select head.id, s.segment_id, s.start_offset, s.end_offset, s.max_timestamp_ms, s.event_timestamp_ms, s.version,
                     s.finished_version, s.size_in_bytes, s.broker_id, s.state, s.txn_index_empty,
                     s.leader_epochs::int[], s.epoch_start_offsets::bigint[], decode(s.custom_metadata, 'hex'),
                     case when s.live then null else now() end, case when s.live then null else :clusterId end
              from head
              cross join <segments> as s (
                segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version, finished_version,
                size_in_bytes, broker_id, state, live, txn_index_empty, leader_epochs, epoch_start_offsets, custom_metadata)
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

    private static final String KEEP_CHANGES = """
            , kept as (
              insert into <schema>.state_change (
                partition_id, version, recorded_at, expires_at, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              select head.id, c.version, now(), now() + :historyMillis * interval '1 millisecond', c.event_timestamp_ms,
                     c.segment_id, c.broker_id, c.from_state, c.to_state
              from head
              cross join <changes> as c (version, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              on conflict do nothing
            )""";

    private static final String MANY_CHANGES =
            "unnest(:changeVersion, :changeTimestamp, :changeSegment, :changeBroker, :changeFrom, :changeTo)";
    private static final String ONE_CHANGE = """
            (values (:changeVersion, :changeTimestamp, cast(:changeSegment as uuid), :changeBroker, cast(:changeFrom as int),
                     :changeTo))""";

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
                and not exists (
                  select from <schema>.segment s where s.partition_id = topic_partition.id and s.segment_id = any(:newSegments))
              returning id
            )""";

    /** By the rows' places, which stay theirs while they are locked: whatever the planner expects, it can't come to read the whole table. */
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

    /** Rows that another broker is about to purge are passed over. */
    static final String PURGE = """
            delete from <schema>.segment
            where (partition_id, segment_id) in (
              select partition_id, segment_id
              from <schema>.segment
              where deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond'
              order by deleted_at
              limit :limit
              for update skip locked
            )
            """;

    /**
     * What a commit is like; each has a statement of its own, without what it does not need, as taking arrays apart and looking at nothing
     * take the server as long as the change itself.
     *
     * @param first whether it is the partition's first
     * @param single whether there is one segment to put and no more than one change to keep, as in nearly every commit
     * @param raises whether it raises highest offsets
     * @param keeps whether its changes are kept in the history
     */
    record Shape(boolean first, boolean single, boolean raises, boolean keeps) {

        static Shape of(PartitionCommit commit, boolean keepsHistory) {
            boolean keeps = keepsHistory && !commit.changes().isEmpty();
            return new Shape(
                    commit.expectedVersion() == 0,
                    commit.segments().size() == 1 && (!keeps || commit.changes().size() == 1),
                    !commit.head().highestOffsets().isEmpty(),
                    keeps);
        }

        static List<Shape> all() {
            List<Shape> all = new ArrayList<>();
            for (int bits = 0; bits < 16; bits++) {
                all.add(new Shape((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0));
            }
            return all;
        }

        String text() {
            return (first ? CREATE : UPDATE)
                    + PUT_SEGMENTS.replace("<segments>", single ? ONE : MANY)
                    + (raises ? RAISE_HIGHEST_OFFSETS : "")
                    + (keeps ? KEEP_CHANGES.replace("<changes>", single ? ONE_CHANGE : MANY_CHANGES) : "")
                    + " select exists (select from head)";
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
        Shape shape = Shape.of(commit, historyMillis > 0);
        NamedStatement text = statements.computeIfAbsent(shape, it -> NamedStatement.of(schema, it.text()));
        Map<String, @Nullable Object> values = values(key, commit, shape.single());
        if (shape.keeps()) {
            values.put("historyMillis", historyMillis);
            values.putAll(ChangeColumns.of(commit.changes(), shape.single()));
        }
        try (PreparedStatement statement = text.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static Map<String, @Nullable Object> values(PartitionKey key, PartitionCommit commit, boolean single) {
        PartitionHead head = commit.head();
        Map<String, @Nullable Object> values = SegmentColumns.of(commit.segments(), single);
        values.put("clusterId", key.clusterId());
        values.put("topicId", key.topicId());
        values.put("partition", key.partition());
        values.put("expectedVersion", commit.expectedVersion());
        values.put("newSegments", commit.newSegments().toArray(UUID[]::new));
        values.put("version", head.version());
        values.put("topicName", head.topicName());
        values.put("liveSegments", head.liveSegments());
        values.put("maxOffsetSpan", head.maxOffsetSpan());
        values.put("deletionCode", StateCodes.code(head.deletion()));
        values.put("epochs", epochs(head));
        values.put("offsets", offsets(head));
        return values;
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
