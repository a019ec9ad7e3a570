package dev.shelfmark.jdbc.cluster;

import dev.shelfmark.store.BrokerHeartbeat;
import java.util.List;
import org.jdbi.v3.sqlobject.config.RegisterRowMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** The brokers' heartbeats. */
@RegisterRowMapper(HeartbeatRowMapper.class)
public interface HeartbeatDao {

    /** One in the place of the broker's last one. */
    String PUT = """
            insert into <schema>.broker_heartbeat
              (cluster_id, broker_id, incarnation, beats, mode, version, acknowledged, acknowledged_revision, lease_ms, at, waiting_for)
            values
              (:clusterId, :brokerId, :incarnation, :beats, :mode, :version, :acknowledged, :acknowledgedRevision, :leaseMs, :at,
               :waitingFor)
            on conflict (cluster_id, broker_id) do update
            set incarnation = excluded.incarnation, beats = excluded.beats, mode = excluded.mode, version = excluded.version,
                acknowledged = excluded.acknowledged, acknowledged_revision = excluded.acknowledged_revision,
                lease_ms = excluded.lease_ms, at = excluded.at, waiting_for = excluded.waiting_for
            """;

    @SqlQuery("""
            select cluster_id, broker_id, incarnation, beats, mode, version, acknowledged, acknowledged_revision, lease_ms, at, waiting_for
            from <schema>.broker_heartbeat
            where cluster_id = :clusterId
            order by broker_id
            """)
    List<BrokerHeartbeat> all(String clusterId);
}
