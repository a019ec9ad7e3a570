package dev.shelfmark.jdbc.partition;

import dev.shelfmark.jdbc.connection.NamedStatement;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The reads of one partition: each a single statement, which is one round trip and, at PostgreSQL's default isolation, one snapshot. A
 * statement gives the head, if there is one, and then the selected segments.
 *
 * <p>The head is materialised, so that its row is looked up once. Its highest offsets are only those raised after
 * {@code :since}; when the partition is not past that version, neither they nor the segments are touched, and "nothing
 * changed" costs one descent of one index.
 */
public final class PartitionDao {

    public static final String HEAD = """
            with head as materialized (
              select p.id, p.version, p.topic_name, p.live_segments, p.max_offset_span, p.deletion,
                     highest.epochs, highest.offsets
              from <schema>.topic_partition p
              cross join lateral (
                select array_agg(e.leader_epoch) as epochs, array_agg(e.highest_offset) as offsets
                from <schema>.epoch_highest_offset e
                where e.partition_id = p.id and e.version > :since and p.version > :since
              ) highest
              where p.cluster_id = :clusterId and p.topic_id = :topicId and p.partition = :partition
            )
            select h.version as head_version, h.topic_name, h.live_segments, h.max_offset_span, h.deletion,
                   h.epochs as highest_epochs, h.offsets as highest_offsets,
                   s.segment_id, s.start_offset, s.end_offset, s.leader_epochs, s.epoch_start_offsets, s.state,
                   s.max_timestamp_ms, s.size_in_bytes, s.txn_index_empty, s.custom_metadata, s.broker_id,
                   s.event_timestamp_ms, s.version, s.finished_version
            from head h
            left join <schema>.segment s on false
            """;

    private static final String SEGMENTS = """
            union all
            select null, null, null, null, null, null, null,
                   s.segment_id, s.start_offset, s.end_offset, s.leader_epochs, s.epoch_start_offsets, s.state,
                   s.max_timestamp_ms, s.size_in_bytes, s.txn_index_empty, s.custom_metadata, s.broker_id,
                   s.event_timestamp_ms, s.version, s.finished_version
            from head h
            """;

    public static final String ALL = HEAD + SEGMENTS + """
            join <schema>.segment s on s.partition_id = h.id and s.deleted_at is null
            """;

    public static final String CHANGES = HEAD + SEGMENTS + """
            join <schema>.segment s on s.partition_id = h.id and s.version > :since and h.version > :since
            """;

    /**
     * One probe of the primary key for each id, and no choice: with {@code = any(ids)}, or a plain join, a plan for any value expects
     * a partition of average size and walks through all of it, which in the largest takes a thousand times as long.
     */
    public static final String BY_ID = HEAD + SEGMENTS + """
            cross join unnest(:segmentIds) as wanted (segment_id)
            cross join lateral (
              select *
              from <schema>.segment t
              where t.partition_id = h.id and t.segment_id = wanted.segment_id
              limit 1
            ) s
            """;

    public static final String HOLDING = HEAD + SEGMENTS + """
            join <schema>.segment s
              on s.partition_id = h.id and s.deleted_at is null
             and s.start_offset between :offset - h.max_offset_span and :offset and s.end_offset >= :offset
            """;

    /** The page begins behind a position that need not exist. */
    public static final String WITH_TXN_INDEX = HEAD + SEGMENTS + """
            cross join lateral (
              select *
              from <schema>.segment t
              where t.partition_id = h.id and t.deleted_at is null and not t.txn_index_empty
                and t.start_offset >= :offset - h.max_offset_span and t.end_offset >= :offset
                and (t.start_offset, t.segment_id) > (:afterOffset, :afterId)
              order by t.start_offset, t.segment_id
              limit :limit
            ) s
            order by start_offset, segment_id
            """;

    /** Of many partitions; one probe of the unique key for each, and no choice, as above. */
    public static final String VERSIONS = """
            select wanted.topic_id, wanted.partition, p.version
            from unnest(:topicIds, :partitions) as wanted (topic_id, partition)
            cross join lateral (
              select t.version
              from <schema>.topic_partition t
              where t.cluster_id = :clusterId and t.topic_id = wanted.topic_id and t.partition = wanted.partition
              limit 1
            ) p
            """;

    /** Takes everything: versions begin at 1. */
    private static final long ANY_VERSION = 0;

    private static final int PORTION = 1_000;

    private final NamedStatement head;
    private final NamedStatement all;
    private final NamedStatement changes;
    private final NamedStatement byId;
    private final NamedStatement holding;
    private final NamedStatement withTxnIndex;
    private final NamedStatement versions;

    public PartitionDao(SchemaName schema) {
        head = NamedStatement.of(schema, HEAD);
        all = NamedStatement.of(schema, ALL);
        changes = NamedStatement.of(schema, CHANGES);
        byId = NamedStatement.of(schema, BY_ID);
        holding = NamedStatement.of(schema, HOLDING);
        withTxnIndex = NamedStatement.of(schema, WITH_TXN_INDEX);
        versions = NamedStatement.of(schema, VERSIONS);
    }

    public void head(Connection connection, PartitionKey key, Consumer<PartitionRow> rows) throws SQLException {
        query(connection, head, values(key, ANY_VERSION), rows);
    }

    /** In a transaction: only there does the driver fetch in portions instead of holding every row at once. */
    public void all(Connection connection, PartitionKey key, Consumer<PartitionRow> rows) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = all.prepare(connection, values(key, ANY_VERSION))) {
            statement.setFetchSize(PORTION);
            read(statement, rows);
            connection.commit();
        } finally {
            // Ends the transaction too, when it was not.
            connection.setAutoCommit(true);
        }
    }

    public void changes(Connection connection, PartitionKey key, long since, Consumer<PartitionRow> rows)
            throws SQLException {
        query(connection, changes, values(key, since), rows);
    }

    public void byId(Connection connection, PartitionKey key, UUID[] segmentIds, Consumer<PartitionRow> rows)
            throws SQLException {
        Map<String, Object> values = values(key, ANY_VERSION);
        values.put("segmentIds", segmentIds);
        query(connection, byId, values, rows);
    }

    public void holding(Connection connection, PartitionKey key, long offset, Consumer<PartitionRow> rows)
            throws SQLException {
        Map<String, Object> values = values(key, ANY_VERSION);
        values.put("offset", offset);
        query(connection, holding, values, rows);
    }

    public void withTxnIndex(
            Connection connection,
            PartitionKey key,
            long offset,
            long afterOffset,
            UUID afterId,
            int limit,
            Consumer<PartitionRow> rows)
            throws SQLException {
        Map<String, Object> values = values(key, ANY_VERSION);
        values.put("offset", offset);
        values.put("afterOffset", afterOffset);
        values.put("afterId", afterId);
        values.put("limit", limit);
        query(connection, withTxnIndex, values, rows);
    }

    public Map<PartitionKey, Long> versions(Connection connection, String clusterId, List<PartitionKey> keys)
            throws SQLException {
        Map<String, Object> values = Map.of(
                "clusterId", clusterId,
                "topicIds", keys.stream().map(PartitionKey::topicId).toArray(UUID[]::new),
                "partitions", keys.stream().mapToInt(PartitionKey::partition).toArray());
        Map<PartitionKey, Long> found = new HashMap<>();
        try (PreparedStatement statement = versions.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.put(
                        new PartitionKey(clusterId, row.getObject("topic_id", UUID.class), row.getInt("partition")),
                        row.getLong("version"));
            }
        }
        return found;
    }

    private static Map<String, Object> values(PartitionKey key, long since) {
        Map<String, Object> values = new HashMap<>();
        values.put("clusterId", key.clusterId());
        values.put("topicId", key.topicId());
        values.put("partition", key.partition());
        values.put("since", since);
        return values;
    }

    private static void query(
            Connection connection, NamedStatement query, Map<String, Object> values, Consumer<PartitionRow> rows)
            throws SQLException {
        try (PreparedStatement statement = query.prepare(connection, values)) {
            read(statement, rows);
        }
    }

    private static void read(PreparedStatement statement, Consumer<PartitionRow> rows) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.accept(PartitionRowMapper.row(row));
            }
        }
    }
}
