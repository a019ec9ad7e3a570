package dev.shelfmark.jdbc.listing;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.RegisterRowMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** The pages of {@link JdbcListing}. Each begins behind a position that need not exist any more, and follows an index. */
public interface ListingDao {

    String SEGMENTS = """
            select s.segment_id, s.start_offset, s.end_offset, s.leader_epochs, s.epoch_start_offsets, s.state,
                   s.max_timestamp_ms, s.size_in_bytes, s.txn_index_empty, s.custom_metadata, s.broker_id,
                   s.event_timestamp_ms, s.version, s.finished_version
            from <schema>.segment s
            where s.partition_id = (
                select p.id
                from <schema>.topic_partition p
                where p.cluster_id = :clusterId and p.topic_id = :topicId and p.partition = :partition)
              and (s.start_offset, s.segment_id) > (:afterOffset, :afterId)
            """;

    String IN_ORDER = """
            order by s.start_offset, s.segment_id
            limit :limit
            """;

    @SqlQuery("""
            select cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion
            from <schema>.topic_partition
            where cluster_id = :clusterId and (topic_id, partition) > (:afterTopic, :afterPartition)
            order by topic_id, partition
            limit :limit
            """)
    @RegisterRowMapper(PartitionSummaryMapper.class)
    List<Positioned<PartitionSummary>> partitions(String clusterId, UUID afterTopic, int afterPartition, int limit);

    @SqlQuery(SEGMENTS + " and s.deleted_at is null " + IN_ORDER)
    @RegisterRowMapper(ListedSegmentMapper.class)
    List<Positioned<SegmentRecord>> live(@BindMethods PartitionKey key, long afterOffset, UUID afterId, int limit);

    @SqlQuery(SEGMENTS + " and s.deleted_at is not null " + IN_ORDER)
    @RegisterRowMapper(ListedSegmentMapper.class)
    List<Positioned<SegmentRecord>> deleted(@BindMethods PartitionKey key, long afterOffset, UUID afterId, int limit);

    /**
     * No two commits interleave, so the changes of groups are in order as the groups are, and no more of these are taken apart than the page
     * needs: the last of them to its end, as ties, so that the index has the order already. A plan that sorts by the changes' versions
     * takes all groups of the partition apart first, where most partitions have few.
     */
    @SqlQuery("""
            with of_partition as materialized (
              select p.id
              from <schema>.topic_partition p
              where p.cluster_id = :clusterId and p.topic_id = :topicId and p.partition = :partition
            )
            (
              select c.version, c.recorded_at, c.event_timestamp_ms, c.segment_id, c.broker_id, c.from_state, c.to_state
              from <schema>.state_change c
              where c.partition_id = (select id from of_partition)
                and c.version > :afterVersion
                and c.expires_at > now()
              order by c.version
              limit :limit
            )
            union all
            (
              select e.version, g.recorded_at, e.event_timestamp_ms, e.segment_id, e.broker_id, e.from_state, e.to_state
              from <schema>.state_change_group g
              cross join unnest(g.versions, g.event_timestamps_ms, g.segment_ids, g.broker_ids, g.from_states, g.to_states)
                as e (version, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              where g.partition_id = (select id from of_partition)
                and g.version > :afterVersion
                and g.expires_at > now()
                and e.version > :afterVersion
              order by g.version
              fetch first :limit rows with ties
            )
            order by version
            limit :limit
            """)
    @RegisterRowMapper(ListedChangeMapper.class)
    List<Positioned<RecordedChange>> history(@BindMethods PartitionKey key, long afterVersion, int limit);

    /**
     * A row and its place in its listing, which it has whether it can be understood or not.
     *
     * @param position where the listing goes on behind it
     * @param item the row
     */
    record Positioned<T>(String position, Listed<T> item) {}
}
