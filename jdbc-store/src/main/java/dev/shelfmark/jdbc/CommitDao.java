package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition. A commit is a single statement outside of any transaction: one round trip, applied as a whole or not at
 * all. Its first part changes the head if it is at the expected version, and waits for whoever else is at it; the other parts
 * work on the id that the first returns, so that without it they do nothing.
 *
 * <p>At READ COMMITTED the first part sees what the other writer left, while the parts after it still look at the statement's
 * snapshot. That is why they only insert, and on conflict replace, which works on the newest row whatever the snapshot shows.
 */
final class CommitDao {

    private static final String PUT_SEGMENTS_AND_HIGHEST_OFFSETS = """
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
              cross join unnest(
                :segmentIds, :startOffsets, :endOffsets, :maxTimestamps, :eventTimestamps, :versions, :finishedVersions,
                :sizes, :brokerIds, :states, :live, :txnIndexEmpty, :leaderEpochs, :epochStartOffsets, :customMetadata
              ) as s (
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
            ), raised as (
              insert into <schema>.epoch_highest_offset (partition_id, leader_epoch, highest_offset, version)
              select head.id, e.leader_epoch, e.highest_offset, :version
              from head
              cross join unnest(:epochs, :offsets) as e (leader_epoch, highest_offset)
              on conflict (partition_id, leader_epoch) do update set
                highest_offset = excluded.highest_offset,
                version = excluded.version
            )
            select exists (select from head)
            """;

    private static final String APPLIED = "select exists (select from head)";

    private static final String KEEP_CHANGES = """
            , kept as (
              insert into <schema>.state_change (
                partition_id, version, recorded_at, expires_at, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              select head.id, c.version, now(), now() + :historyMillis * interval '1 millisecond', c.event_timestamp_ms,
                     c.segment_id, c.broker_id, c.from_state, c.to_state
              from head
              cross join unnest(
                :changeVersions, :changeTimestamps, :changeSegments, :changeBrokers, :changesFrom, :changesTo
              ) as c (version, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              on conflict do nothing
            )
            """;

    /** The first commit of a partition. */
    static final String CREATE = """
            with head as (
              insert into <schema>.topic_partition (
                cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion)
              values (
                :clusterId, :topicId, :partition, :topicName, :version, :liveSegments, :maxOffsetSpan,
                cast(:deletionCode as smallint))
              on conflict (cluster_id, topic_id, partition) do nothing
              returning id
            )""" + PUT_SEGMENTS_AND_HIGHEST_OFFSETS;

    /** Every later one. */
    static final String UPDATE = """
            with head as (
              update <schema>.topic_partition
              set version = :version, topic_name = :topicName, live_segments = :liveSegments,
                  max_offset_span = :maxOffsetSpan, deletion = cast(:deletionCode as smallint)
              where cluster_id = :clusterId and topic_id = :topicId and partition = :partition and version = :expectedVersion
              returning id
            )""" + PUT_SEGMENTS_AND_HIGHEST_OFFSETS;

    /** A commit that also puts its changes into the history. */
    static String keepingChanges(String commit) {
        return commit.replace(APPLIED, KEEP_CHANGES + APPLIED);
    }

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

    private final NamedStatement create;
    private final NamedStatement update;
    private final NamedStatement createAndKeep;
    private final NamedStatement updateAndKeep;
    private final NamedStatement purge;
    private final NamedStatement purgeHistory;

    CommitDao(SchemaName schema) {
        create = NamedStatement.of(schema, CREATE);
        update = NamedStatement.of(schema, UPDATE);
        createAndKeep = NamedStatement.of(schema, keepingChanges(CREATE));
        updateAndKeep = NamedStatement.of(schema, keepingChanges(UPDATE));
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
        Map<String, @Nullable Object> values = values(key, commit);
        NamedStatement text = commit.expectedVersion() == 0 ? create : update;
        if (historyMillis > 0) {
            text = commit.expectedVersion() == 0 ? createAndKeep : updateAndKeep;
            values.put("historyMillis", historyMillis);
            values.putAll(ChangeColumns.of(commit.changes()));
        }
        try (PreparedStatement statement = text.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static Map<String, @Nullable Object> values(PartitionKey key, PartitionCommit commit) {
        PartitionHead head = commit.head();
        Map<String, @Nullable Object> values = new HashMap<>(SegmentColumns.of(commit.segments()));
        values.put("clusterId", key.clusterId());
        values.put("topicId", key.topicId());
        values.put("partition", key.partition());
        values.put("expectedVersion", commit.expectedVersion());
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
