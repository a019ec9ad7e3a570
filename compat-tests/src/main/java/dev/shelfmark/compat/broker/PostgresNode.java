package dev.shelfmark.compat.broker;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of its own, with passwords, and with the database {@code catalogue}. Its roles, each with its name as password, are
 * {@code owner}, who may create a schema, {@code broker} and {@code auditor}. Data and port outlive {@link #stop}.
 */
public final class PostgresNode implements AutoCloseable {

    /** The database that the catalogue is in. */
    public static final String DATABASE = "catalogue";

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Path directory;
    private final Path binaries;
    private final int port;
    private final boolean durable;
    private @Nullable EmbeddedPostgres server;

    private PostgresNode(Path directory, Path binaries, int port, boolean durable) {
        this.directory = directory;
        this.binaries = binaries;
        this.port = port;
        this.durable = durable;
    }

    /**
     * Starts a new server.
     *
     * @param directory for its data; made if need be, removed at {@link #close}
     */
    public static PostgresNode start(Path directory) {
        return start(directory, false);
    }

    /**
     * Starts a new server.
     *
     * @param directory for its data; made if need be, removed at {@link #close}
     * @param durable whether a commit waits for the disk, as it must in production and need not in a test
     */
    public static PostgresNode start(Path directory, boolean durable) {
        int port;
        try (Ports ports = new Ports()) {
            port = ports.next();
        }
        PostgresNode node = new PostgresNode(
                directory.resolve("data"), KafkaDistribution.ownClasses().resolveSibling("postgres"), port, durable);
        node.start();
        node.execute("postgres", "create role owner login password 'owner'");
        node.execute("postgres", "create role broker login password 'broker'");
        node.execute("postgres", "create role auditor login password 'auditor'");
        node.createDatabase(DATABASE);
        return node;
    }

    /** Another empty database in which {@code owner} may create a schema. */
    public void createDatabase(String name) {
        execute("postgres", "create database " + name);
        execute("postgres", "grant create on database " + name + " to owner");
    }

    /** Removes a database, whoever is still connected. */
    public void dropDatabase(String name) {
        execute("postgres", "drop database " + name + " with (force)");
    }

    /** The URL of one of its databases. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** Its port on the loopback interface. */
    public int port() {
        return port;
    }

    /** Where its programs are, such as {@code bin/pg_ctl}. */
    public Path binaries() {
        return binaries;
    }

    /** Where its data is. */
    public Path data() {
        return directory;
    }

    /** Starts it again, with its data. */
    public void start() {
        try {
            Files.createDirectories(directory);
            server = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(directory)
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(binaries.toFile())
                    // Whoever started this node also ends it, and then removes the files; two hooks would race.
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(START_LIMIT)
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("fsync", durable ? "on" : "off")
                    .setServerConfig("timezone", "Asia/Kathmandu")
                    .setDataDirectoryCustomizer(PostgresNode::requirePasswords)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start in " + directory, e);
        }
    }

    /** Stops it, ending every connection; does nothing when it is stopped. */
    public void stop() {
        EmbeddedPostgres running = server;
        if (running == null) {
            return;
        }
        try {
            running.close();
            server = null;
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not stop in " + directory, e);
        }
    }

    /** Runs a statement with every right. */
    public void execute(String database, String sql) {
        EmbeddedPostgres running = server;
        if (running == null) {
            throw new IllegalStateException("PostgreSQL is stopped");
        }
        try (Connection connection = running.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused: " + sql, e);
        }
    }

    /** What a query of one number gives, with every right. */
    public double number(String database, String sql) {
        EmbeddedPostgres running = server;
        if (running == null) {
            throw new IllegalStateException("PostgreSQL is stopped");
        }
        try (Connection connection = running.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new IllegalStateException("no row: " + sql);
            }
            return row.getDouble(1);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused: " + sql, e);
        }
    }

    private static void requirePasswords(File data) {
        try {
            Files.write(
                    data.toPath().resolve("pg_hba.conf"),
                    List.of(
                            "host all postgres 127.0.0.1/32 trust",
                            "host all postgres ::1/128 trust",
                            "host all all all scram-sha-256"));
        } catch (IOException e) {
            throw new UncheckedIOException("can't write the access rules in " + data, e);
        }
    }

    @Override
    public void close() {
        stop();
        FileTrees.delete(directory);
    }
}
