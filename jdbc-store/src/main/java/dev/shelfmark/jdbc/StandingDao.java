package dev.shelfmark.jdbc;

import dev.shelfmark.store.ClusterRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** What a broker asks before it trusts its schema, its server and its cluster. */
final class StandingDao {

    private final SchemaName schema;
    private final NamedStatement version;
    private final NamedStatement server;
    private final NamedStatement cluster;

    StandingDao(SchemaName schema) {
        this.schema = schema;
        version = NamedStatement.of(schema, SchemaDao.VERSION);
        server = NamedStatement.of(schema, SchemaDao.SERVER);
        cluster = NamedStatement.of(schema, ClusterDao.FIND);
    }

    /** The version of the schema, 0 for none. */
    int version(Connection connection) throws SQLException {
        try (PreparedStatement statement = version.prepare(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    ServerStanding server(Connection connection) throws SQLException {
        try (PreparedStatement statement = server.prepare(connection, Map.of("schemaName", schema.name()));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("the server says nothing of itself");
            }
            return ServerStanding.of(row);
        }
    }

    Optional<ClusterRecord> cluster(Connection connection, String clusterId) throws SQLException {
        try (PreparedStatement statement = cluster.prepare(connection, Map.of("clusterId", clusterId));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(ClusterRowMapper.record(row)) : Optional.empty();
        }
    }
}
