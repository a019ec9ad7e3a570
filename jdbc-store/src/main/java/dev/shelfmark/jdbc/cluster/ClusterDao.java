package dev.shelfmark.jdbc.cluster;

import dev.shelfmark.store.ClusterRecord;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterRowMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The clusters' records. */
@RegisterRowMapper(ClusterRowMapper.class)
public interface ClusterDao {

    String FIND = """
            select cluster_id, state, revision, changed_at, changed_by, note
            from <schema>.cluster
            where cluster_id = :clusterId
            """;

    @SqlQuery(FIND)
    Optional<ClusterRecord> find(String clusterId);

    @SqlQuery("""
            select cluster_id, state, revision, changed_at, changed_by, note
            from <schema>.cluster
            order by cluster_id
            """)
    List<ClusterRecord> all();

    @SqlUpdate("""
            insert into <schema>.cluster (cluster_id, state, revision, changed_at, changed_by, note)
            values (:clusterId, :state, 1, :changedAt, :changedBy, :note)
            on conflict (cluster_id) do nothing
            """)
    boolean create(String clusterId, String state, OffsetDateTime changedAt, String changedBy, String note);

    @SqlUpdate("""
            update <schema>.cluster
            set state = :state, revision = :revision, changed_at = :changedAt, changed_by = :changedBy, note = :note
            where cluster_id = :clusterId and revision = :revision - 1
            """)
    boolean update(
            String clusterId, String state, long revision, OffsetDateTime changedAt, String changedBy, String note);
}
