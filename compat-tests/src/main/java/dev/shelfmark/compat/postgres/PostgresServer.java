package dev.shelfmark.compat.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A PostgreSQL server on which the suite may make roles and databases. The first of these that can be had:
 *
 * <ol>
 *   <li>the one that {@code -Dcompat.postgres.url=jdbc:postgresql://host:port/database} or the variable {@code COMPAT_POSTGRES_URL}
 *       names, with {@code compat.postgres.user} and {@code compat.postgres.password} of a role that may create both;
 *   <li>{@code postgres} in Docker, when an engine answers;
 *   <li>the binaries that Maven brings for this platform.
 * </ol>
 */
public abstract class PostgresServer implements AutoCloseable {

    private final Address address;

    PostgresServer(Address address) {
        this.address = address;
    }

    /** Where a server is, and who may do everything there. */
    record Address(String host, int port, String database, String user, String password) {

        String url(String otherDatabase) {
            return "jdbc:postgresql://" + host + ":" + port + "/" + otherDatabase;
        }
    }

    /**
     * Starts one.
     *
     * @throws IllegalStateException when none can be had, saying what to do
     */
    public static PostgresServer start() {
        return GivenServer.named()
                .<PostgresServer>map(GivenServer::new)
                .orElseGet(() -> DockerServer.available() ? DockerServer.run() : EmbeddedServer.run());
    }

    /** What it is, for messages. */
    public abstract String description();

    /** Where it is. */
    public final String host() {
        return address.host();
    }

    /** Its port at {@link #host}. */
    public final int port() {
        return address.port();
    }

    /** An empty database, in which the role of {@link PostgresDatabase#OWNER} may create a schema. */
    public final PostgresDatabase createDatabase() {
        String name = "shelfmark_" + UUID.randomUUID().toString().replace('-', '_');
        for (String role : PostgresDatabase.ROLES) {
            // Two runs may share a server that is given.
            execute("""
                    do $$ begin
                      create role %1$s login password '%1$s';
                    exception when duplicate_object or unique_violation then null;
                    end $$
                    """.formatted(role));
        }
        execute("create database " + name);
        execute("grant create on database " + name + " to " + PostgresDatabase.OWNER);
        return new PostgresDatabase(this, name);
    }

    final void execute(String sql) {
        execute(address.database(), sql);
    }

    final void execute(String database, String sql) {
        try (Connection connection =
                        DriverManager.getConnection(address.url(database), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(description() + " refused: " + sql, e);
        }
    }

    /** Stops what was started, and nothing else. */
    @Override
    public abstract void close();
}
