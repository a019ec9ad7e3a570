package dev.shelfmark.jdbc.bulk;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.customizer.BindMap;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The writes of many partitions at once, one array a column. A partition that is not at its expected version is left out. */
interface BulkDao {

    /** The id of a partition that was written. */
    record Written(long id, UUID topicId, int partition) {}

    @RegisterConstructorMapper(Written.class)
    @SqlQuery("""
            insert into <schema>.topic_partition (
              cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion)
            select :clusterId, u.topic_id, u.partition, u.topic_name, u.version, u.live_segments, u.max_offset_span,
                   u.deletion::smallint
            from unnest(:topicIds, :partitions, :topicNames, :versions, :liveSegments, :maxOffsetSpans, :deletions)
              as u (topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion)
            on conflict (cluster_id, topic_id, partition) do nothing
            returning id, topic_id, partition
            """)
    List<Written> create(String clusterId, @BindMap Map<String, Object> heads);

    @RegisterConstructorMapper(Written.class)
    @SqlQuery("""
            update <schema>.topic_partition p
            set version = u.version, topic_name = u.topic_name, live_segments = u.live_segments,
                max_offset_span = u.max_offset_span, deletion = u.deletion::smallint
            from unnest(:topicIds, :partitions, :topicNames, :versions, :liveSegments, :maxOffsetSpans, :deletions,
                        :expectedVersions)
              as u (topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion, expected_version)
            where p.cluster_id = :clusterId and p.topic_id = u.topic_id and p.partition = u.partition
              and p.version = u.expected_version
            returning p.id, p.topic_id, p.partition
            """)
    List<Written> update(String clusterId, @BindMap Map<String, Object> heads);

    @SqlUpdate("""
            delete from <schema>.segment s
            using unnest(:partitionIds, :segmentIds) as u (partition_id, segment_id)
            where s.partition_id = u.partition_id and s.segment_id = u.segment_id
            """)
    void delete(long[] partitionIds, UUID[] segmentIds);

    @SqlUpdate("""
            insert into <schema>.epoch_highest_offset (partition_id, leader_epoch, highest_offset, version)
            select * from unnest(:partitionIds, :epochs, :offsets, :versions)
            on conflict (partition_id, leader_epoch) do update
            set highest_offset = excluded.highest_offset, version = excluded.version
            """)
    void raise(long[] partitionIds, int[] epochs, long[] offsets, long[] versions);
}
