package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionKey;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.FetchSize;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/**
 * The reads of one partition: each a single statement, which is one round trip and, at PostgreSQL's default isolation, one snapshot. A
 * statement gives the head, if there is one, and then the selected segments.
 *
 * <p>The head is materialised, so that its row is looked up once. Its highest offsets are only those raised after
 * {@code :since}; when the partition is not past that version, neither they nor the segments are touched, and "nothing
 * changed" costs one descent of one index.
 */
interface PartitionDao {

    /** Takes everything: versions begin at 1. */
    long ANY_VERSION = 0;

    String HEAD = """
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

    String SEGMENTS = """
            union all
            select null, null, null, null, null, null, null,
                   s.segment_id, s.start_offset, s.end_offset, s.leader_epochs, s.epoch_start_offsets, s.state,
                   s.max_timestamp_ms, s.size_in_bytes, s.txn_index_empty, s.custom_metadata, s.broker_id,
                   s.event_timestamp_ms, s.version, s.finished_version
            from head h
            """;

    @SqlQuery(HEAD)
    void head(@BindMethods PartitionKey key, long since, Consumer<PartitionRow> rows);

    /** Meant for a transaction: only there does the driver fetch in portions instead of holding every row at once. */
    @FetchSize(1000)
    @SqlQuery(HEAD + SEGMENTS + """
                      join <schema>.segment s on s.partition_id = h.id and s.deleted_at is null
                      """)
    void all(@BindMethods PartitionKey key, long since, Consumer<PartitionRow> rows);

    @SqlQuery(HEAD + SEGMENTS + """
                      join <schema>.segment s on s.partition_id = h.id and s.version > :since and h.version > :since
                      """)
    void changes(@BindMethods PartitionKey key, long since, Consumer<PartitionRow> rows);

    /**
     * One probe of the primary key for each id, and no choice: with {@code = any(ids)}, or a plain join, a plan for any value expects
     * a partition of average size and walks through all of it, which in the largest takes a thousand times as long.
     */
    @SqlQuery(HEAD + SEGMENTS + """
                      cross join unnest(:segmentIds) as wanted (segment_id)
                      cross join lateral (
                        select *
                        from <schema>.segment t
                        where t.partition_id = h.id and t.segment_id = wanted.segment_id
                        limit 1
                      ) s
                      """)
    void byId(@BindMethods PartitionKey key, long since, UUID[] segmentIds, Consumer<PartitionRow> rows);

    @SqlQuery(HEAD + SEGMENTS + """
                      join <schema>.segment s
                        on s.partition_id = h.id and s.deleted_at is null
                       and s.start_offset between :offset - h.max_offset_span and :offset and s.end_offset >= :offset
                      """)
    void holding(@BindMethods PartitionKey key, long since, long offset, Consumer<PartitionRow> rows);

    /** The page begins behind a position that need not exist. */
    @SqlQuery(HEAD + SEGMENTS + """
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
                      """)
    void withTxnIndex(
            @BindMethods PartitionKey key,
            long since,
            long offset,
            long afterOffset,
            UUID afterId,
            int limit,
            Consumer<PartitionRow> rows);
}
