package dev.shelfmark.jdbc;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterState;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The brokers' heartbeats. */
interface HeartbeatDao {

    default int put(BrokerHeartbeat beat) {
        ClusterState acknowledged = beat.acknowledged();
        return put(
                beat.clusterId(),
                beat.brokerId(),
                beat.incarnation(),
                beat.beats(),
                StateCodes.word(beat.mode()),
                beat.version(),
                acknowledged == null ? null : StateCodes.word(acknowledged),
                beat.acknowledgedRevision(),
                beat.lease().toMillis(),
                beat.at().atOffset(ZoneOffset.UTC),
                beat.waitingFor());
    }

    @SqlUpdate("""
            insert into <schema>.broker_heartbeat
              (cluster_id, broker_id, incarnation, beats, mode, version, acknowledged, acknowledged_revision, lease_ms, at, waiting_for)
            values
              (:clusterId, :brokerId, :incarnation, :beats, :mode, :version, :acknowledged, :acknowledgedRevision, :leaseMs, :at,
               :waitingFor)
            on conflict (cluster_id, broker_id) do update
            set incarnation = excluded.incarnation, beats = excluded.beats, mode = excluded.mode, version = excluded.version,
                acknowledged = excluded.acknowledged, acknowledged_revision = excluded.acknowledged_revision,
                lease_ms = excluded.lease_ms, at = excluded.at, waiting_for = excluded.waiting_for
            """)
    int put(
            String clusterId,
            int brokerId,
            String incarnation,
            long beats,
            String mode,
            String version,
            @Nullable String acknowledged,
            long acknowledgedRevision,
            long leaseMs,
            OffsetDateTime at,
            String waitingFor);

    @SqlQuery("""
            select cluster_id, broker_id, incarnation, beats, mode, version, acknowledged, acknowledged_revision, lease_ms, at, waiting_for
            from <schema>.broker_heartbeat
            where cluster_id = :clusterId
            order by broker_id
            """)
    List<BrokerHeartbeat> all(String clusterId);
}
