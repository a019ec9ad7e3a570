package dev.shelfmark.jdbc.schema;

import dev.shelfmark.jdbc.cluster.ClusterDao;
import dev.shelfmark.jdbc.cluster.ClusterRowMapper;
import dev.shelfmark.jdbc.cluster.HeartbeatDao;
import dev.shelfmark.jdbc.connection.NamedStatement;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a broker asks before it trusts its schema, its server and its cluster, and what it tells of itself. */
public final class StartupChecksDao {

    private final SchemaName schema;
    private final NamedStatement version;
    private final NamedStatement server;
    private final NamedStatement cluster;
    private final NamedStatement beat;

    public StartupChecksDao(SchemaName schema) {
        this.schema = schema;
        version = NamedStatement.of(schema, SchemaDao.VERSION);
        server = NamedStatement.of(schema, SchemaDao.SERVER);
        cluster = NamedStatement.of(schema, ClusterDao.FIND);
        beat = NamedStatement.of(schema, HeartbeatDao.PUT);
    }

    /** The version of the schema, 0 for none. */
    public int version(Connection connection) throws SQLException {
        try (PreparedStatement statement = version.prepare(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    public ServerStatus server(Connection connection) throws SQLException {
        try (PreparedStatement statement = server.prepare(connection, Map.of("schemaName", schema.name()));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("the server says nothing of itself");
            }
            return ServerStatus.of(row);
        }
    }

    public Optional<ClusterRecord> cluster(Connection connection, String clusterId) throws SQLException {
        try (PreparedStatement statement = cluster.prepare(connection, Map.of("clusterId", clusterId));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(ClusterRowMapper.record(row)) : Optional.empty();
        }
    }

    public int beat(Connection connection, BrokerHeartbeat heartbeat) throws SQLException {
        ClusterState acknowledged = heartbeat.acknowledged();
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("clusterId", heartbeat.clusterId());
        values.put("brokerId", heartbeat.brokerId());
        values.put("incarnation", heartbeat.incarnation());
        values.put("beats", heartbeat.beats());
        values.put("mode", StateCodes.word(heartbeat.mode()));
        values.put("version", heartbeat.version());
        values.put("acknowledged", acknowledged == null ? null : StateCodes.word(acknowledged));
        values.put("acknowledgedRevision", heartbeat.acknowledgedRevision());
        values.put("leaseMs", heartbeat.lease().toMillis());
        values.put("at", heartbeat.at().atOffset(ZoneOffset.UTC));
        values.put("waitingFor", heartbeat.waitingFor());
        try (PreparedStatement statement = beat.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }
}
