package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A catalogue in a PostgreSQL server of its own. Several databases on the server hold a catalogue each. */
public final class JdbcCatalogue implements CatalogueServer {

    private final Path directory;
    private final PostgresNode server;
    private final Thread onExit = new Thread(this::remove, "remove-catalogue");

    private JdbcCatalogue(Path directory, boolean durable) {
        this.directory = directory;
        this.server = PostgresNode.start(directory, durable);
    }

    /** Starts a server with the catalogue's schema in it. No cluster is registered. It ends with this JVM at the latest. */
    public static JdbcCatalogue start() {
        try {
            JdbcCatalogue catalogue = startEmpty(Files.createTempDirectory("shelfmark-postgres-"));
            Runtime.getRuntime().addShutdownHook(catalogue.onExit);
            CatalogueAccess.with(catalogue.ownerSettings()).migrate();
            return catalogue;
        } catch (IOException e) {
            throw new UncheckedIOException("can't create a directory for PostgreSQL", e);
        }
    }

    /**
     * Starts a server without the schema, which nothing ends but {@link #close}.
     *
     * @param directory for its data; removed at {@link #close}
     */
    public static JdbcCatalogue startEmpty(Path directory) {
        return new JdbcCatalogue(directory, false);
    }

    /** The same with a server whose commits wait for the disk. */
    public static JdbcCatalogue startEmptyAndDurable(Path directory) {
        return new JdbcCatalogue(directory, true);
    }

    /** The server, for what only its administrator may do. */
    public PostgresNode server() {
        return server;
    }

    @Override
    public String store() {
        return "jdbc";
    }

    @Override
    public String address() {
        return server.url(PostgresNode.DATABASE);
    }

    @Override
    public Map<String, String> addEmpty(String database) {
        server.createDatabase(database);
        CatalogueAccess.with(ownerSettings(database)).migrate();
        return brokerSettings(database);
    }

    @Override
    public Map<String, String> brokerSettings() {
        return brokerSettings(PostgresNode.DATABASE);
    }

    /** The plugin's settings for one of the server's databases, with the rights of a broker. */
    public Map<String, String> brokerSettings(String database) {
        Map<String, String> settings = settings(database, "broker");
        settings.put("cluster.state.poll.ms", "500");
        return settings;
    }

    @Override
    public Map<String, String> ownerSettings() {
        return ownerSettings(PostgresNode.DATABASE);
    }

    @Override
    public Map<String, String> auditorSettings() {
        return settings(PostgresNode.DATABASE, "auditor");
    }

    private Map<String, String> ownerSettings(String database) {
        Map<String, String> settings = settings(database, "owner");
        settings.put("jdbc.grant.broker", "broker");
        settings.put("jdbc.grant.auditor", "auditor");
        return settings;
    }

    private Map<String, String> settings(String database, String role) {
        Map<String, String> settings = new HashMap<>();
        settings.put("store", store());
        settings.put("jdbc.url", server.url(database));
        settings.put("jdbc.user", role);
        settings.put("jdbc.password", role);
        return settings;
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void resume() {
        server.start();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(onExit);
        remove();
    }

    private void remove() {
        server.close();
        FileTrees.delete(directory);
    }
}
