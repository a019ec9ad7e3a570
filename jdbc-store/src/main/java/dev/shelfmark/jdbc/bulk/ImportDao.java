package dev.shelfmark.jdbc.bulk;

import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.sqlobject.config.KeyColumn;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Who brings a cluster's history in, and how far they came. */
public interface ImportDao {

    /** A claim as it stands. */
    record Claim(UUID token, String holder, OffsetDateTime until) {}

    /** Takes the claim if nobody has it; says who has it then. */
    @RegisterConstructorMapper(Claim.class)
    @SqlQuery("""
            with taken as (
              insert into <schema>.import_claim as c (cluster_id, token, holder, until)
              values (:clusterId, :token, :holder, clock_timestamp() + :termMillis * interval '1 millisecond')
              on conflict (cluster_id) do update
              set token = excluded.token, holder = excluded.holder, until = excluded.until
              where c.until <= clock_timestamp()
              returning token, holder, until
            )
            select token, holder, until from taken
            union all
            select token, holder, until from <schema>.import_claim
            where cluster_id = :clusterId and not exists (select from taken)
            """)
    Optional<Claim> claim(String clusterId, UUID token, String holder, long termMillis);

    /** Prolongs the claim and holds its row until the transaction ends. */
    @SqlUpdate("""
            update <schema>.import_claim
            set until = clock_timestamp() + :termMillis * interval '1 millisecond'
            where cluster_id = :clusterId and token = :token
            """)
    boolean renew(String clusterId, UUID token, long termMillis);

    @SqlUpdate("delete from <schema>.import_claim where cluster_id = :clusterId and token = :token")
    int release(String clusterId, UUID token);

    /** Keeps the cluster in its state until the transaction ends. */
    @SqlQuery("select state from <schema>.cluster where cluster_id = :clusterId for share")
    Optional<String> lockState(String clusterId);

    @SqlQuery("select exists (select from <schema>.topic_partition where cluster_id = :clusterId)")
    boolean anyPartition(String clusterId);

    @KeyColumn("source")
    @RegisterConstructorMapper(Checkpoint.class)
    @SqlQuery(
            "select source, source_id, next_offset, note from <schema>.import_checkpoint where cluster_id = :clusterId")
    Map<Integer, Checkpoint> checkpoints(String clusterId);

    @SqlUpdate("""
            insert into <schema>.import_checkpoint (cluster_id, source, source_id, next_offset, note)
            values (:clusterId, :source, :sourceId, :nextOffset, :note)
            on conflict (cluster_id, source) do update
            set source_id = excluded.source_id, next_offset = excluded.next_offset, note = excluded.note
            """)
    void putCheckpoint(String clusterId, int source, String sourceId, long nextOffset, String note);

    @SqlUpdate("""
            delete from <schema>.import_progress
            where cluster_id = :clusterId and source = :source and next_offset <= :nextOffset
            """)
    void forgetProgress(String clusterId, int source, long nextOffset);

    /** How far one partition came. */
    record PartitionProgress(UUID topicId, int partition, long nextOffset, String note) {
        Progress progress() {
            return new Progress(nextOffset, note);
        }
    }

    @RegisterConstructorMapper(PartitionProgress.class)
    @SqlQuery("""
            select topic_id, partition, next_offset, note from <schema>.import_progress
            where cluster_id = :clusterId and source = :source
            """)
    List<PartitionProgress> progress(String clusterId, int source);

    @SqlUpdate("""
            insert into <schema>.import_progress (cluster_id, source, topic_id, partition, next_offset, note)
            select :clusterId, u.*
            from unnest(:sources, :topicIds, :partitions, :nextOffsets, :notes)
              as u (source, topic_id, partition, next_offset, note)
            on conflict (cluster_id, source, topic_id, partition) do update
            set next_offset = excluded.next_offset, note = excluded.note
            """)
    void putProgress(
            String clusterId, int[] sources, UUID[] topicIds, int[] partitions, long[] nextOffsets, String[] notes);
}
