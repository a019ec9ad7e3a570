package dev.shelfmark.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server with password authentication and a time zone that nobody else here has. Its roles, each with its name as password, are
 * {@code owner}, {@code broker} and {@code auditor}.
 */
final class TestServer implements AutoCloseable {

    private static final TestServer SHARED = new TestServer();

    private final AtomicInteger databases = new AtomicInteger();
    private final EmbeddedPostgres postgres;

    TestServer() {
        try {
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("timezone", "Asia/Kathmandu")
                    .setServerConfig("fsync", "off")
                    // The default only since PostgreSQL 14.
                    .setServerConfig("password_encryption", "scram-sha-256")
                    .setDataDirectoryCustomizer(TestServer::requirePasswords)
                    .start();
            execute("create role owner login password 'owner'");
            execute("create role broker login password 'broker'");
            execute("create role auditor login password 'auditor'");
        } catch (IOException e) {
            throw new UncheckedIOException("no PostgreSQL server could be started", e);
        }
    }

    private static void requirePasswords(File dataDirectory) {
        Path rules = dataDirectory.toPath().resolve("pg_hba.conf");
        try {
            Files.writeString(rules, "host all postgres all trust\nhost all all all scram-sha-256\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server that all tests of a run share. */
    static TestServer shared() {
        return SHARED;
    }

    int port() {
        return postgres.getPort();
    }

    Connection connect(String database) throws SQLException {
        return postgres.getDatabase("postgres", database).getConnection();
    }

    void execute(String sql) {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** An empty database that {@code owner} may create a schema in. */
    TestDatabase emptyDatabase() {
        String name = "test" + databases.incrementAndGet();
        execute("create database " + name);
        execute("grant create on database " + name + " to owner");
        return new TestDatabase(this, name);
    }

    /** A database with the catalogue's schema and the rights of broker and auditor. */
    TestDatabase database() {
        TestDatabase database = emptyDatabase();
        database.migrate();
        return database;
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
