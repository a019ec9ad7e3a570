package dev.shelfmark.compat.broker;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.dynamodb.DynamoDbServer;
import dev.shelfmark.compat.dynamodb.DynamoDbSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A catalogue in a table of its own on a server that speaks DynamoDB's protocol. Other tables hold a catalogue each. */
public final class DynamoDbCatalogue implements CatalogueServer {

    private final DynamoDbServer server;
    private final String table;
    /** The way to the server that can be closed; without it, the server is reached directly. */
    private final @Nullable FaultProxy way;

    private DynamoDbCatalogue(DynamoDbServer server, String table, @Nullable FaultProxy way) {
        this.server = server;
        this.table = table;
        this.way = way;
    }

    /** Starts a server with the catalogue's table in it. No cluster is registered. It ends with this JVM at the latest. */
    public static DynamoDbCatalogue start() {
        DynamoDbServer server = DynamoDbServer.start();
        URI endpoint = server.endpoint();
        FaultProxy way = new FaultProxy(endpoint.getHost(), endpoint.getPort());
        DynamoDbCatalogue catalogue = new DynamoDbCatalogue(server, "shelfmark-compat-" + UUID.randomUUID(), way);
        try {
            CatalogueAccess.with(catalogue.ownerSettings()).migrate();
            return catalogue;
        } catch (RuntimeException e) {
            catalogue.close();
            throw e;
        }
    }

    /**
     * Starts a server without the table, which can't be stopped and resumed.
     *
     * @param directory for the data of a process of this machine
     * @param table the catalogue's, to be made
     * @param lasting whether the server must go on when this JVM ends
     */
    public static DynamoDbCatalogue startEmpty(Path directory, String table, boolean lasting) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + directory, e);
        }
        return new DynamoDbCatalogue(DynamoDbServer.startIn(directory, lasting), table, null);
    }

    @Override
    public String store() {
        return "dynamodb";
    }

    @Override
    public String address() {
        return server.endpoint() + ", table " + table + " (" + server.description() + ")";
    }

    @Override
    public Map<String, String> addEmpty(String name) {
        Map<String, String> settings = brokerSettings();
        settings.put("dynamodb.table", table + "-" + name);
        CatalogueAccess.with(settings).migrate();
        return settings;
    }

    @Override
    public Map<String, String> brokerSettings() {
        Map<String, String> settings = ownerSettings();
        settings.put("cluster.state.poll.ms", "500");
        return settings;
    }

    @Override
    public Map<String, String> ownerSettings() {
        Map<String, String> settings = new HashMap<>(DynamoDbSettings.of(server, table));
        settings.put("store", store());
        if (way != null) {
            settings.put("dynamodb.endpoint", "http://" + way.host() + ":" + way.port());
        }
        return settings;
    }

    @Override
    public Map<String, String> auditorSettings() {
        return ownerSettings();
    }

    @Override
    public void stop() {
        way().refuse();
    }

    @Override
    public void resume() {
        way().heal();
    }

    private FaultProxy way() {
        return Objects.requireNonNull(way, "this server is reached directly and can't be stopped");
    }

    @Override
    public void close() {
        if (way != null) {
            way.close();
        }
        server.close();
    }
}
