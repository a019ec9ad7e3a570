package dev.shelfmark.jdbc.cluster;

import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.BrokerHeartbeat;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads the rows of {@link HeartbeatDao}. */
public final class HeartbeatRowMapper implements RowMapper<BrokerHeartbeat> {

    @Override
    public BrokerHeartbeat map(ResultSet row, StatementContext context) throws SQLException {
        String acknowledged = row.getString("acknowledged");
        return new BrokerHeartbeat(
                row.getString("cluster_id"),
                row.getInt("broker_id"),
                row.getString("incarnation"),
                row.getLong("beats"),
                StateCodes.mode(row.getString("mode")),
                row.getString("version"),
                acknowledged == null ? null : StateCodes.clusterState(acknowledged),
                row.getLong("acknowledged_revision"),
                Duration.ofMillis(row.getLong("lease_ms")),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("waiting_for"));
    }
}
