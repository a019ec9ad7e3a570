package dev.shelfmark.compat.broker;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreAdministration;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.kafka.common.Uuid;

/**
 * A catalogue in a PostgreSQL server of its own, the broker's properties that make use of it, and a look into it from outside.
 * Several databases on the server hold a catalogue each.
 */
public final class JdbcCatalogue implements AutoCloseable {

    private static final String STORE = "jdbc";
    private static final Duration DELETED_RETENTION = Duration.ofDays(1);

    private final Path directory;
    private final PostgresNode server;
    private final StoreProvider provider;
    private final Thread onExit = new Thread(this::remove, "remove-catalogue");

    private JdbcCatalogue(Path directory) {
        this.directory = directory;
        this.server = PostgresNode.start(directory);
        this.provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(STORE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the store '" + STORE + "' is not on the class path"));
    }

    /** Starts a server with the catalogue's schema in it. No cluster is registered. It ends with this JVM at the latest. */
    public static JdbcCatalogue start() {
        try {
            JdbcCatalogue catalogue = startEmpty(Files.createTempDirectory("shelfmark-postgres-"));
            Runtime.getRuntime().addShutdownHook(catalogue.onExit);
            catalogue.migrate(PostgresNode.DATABASE);
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
        return new JdbcCatalogue(directory);
    }

    /** The server. */
    public PostgresNode server() {
        return server;
    }

    /** A second catalogue, empty, without any cluster. */
    public void addEmpty(String database) {
        server.createDatabase(database);
        migrate(database);
    }

    private void migrate(String database) {
        try (StoreAdministration administration = administration(database)) {
            administration.migrate();
        }
    }

    /** Registers a cluster as ready. */
    public void register(String clusterId) {
        try (StoreAdministration administration = administration(PostgresNode.DATABASE)) {
            boolean registered = administration.putCluster(
                    new ClusterRecord(clusterId, ClusterState.READY, 1, Instant.now(), "test", "a new cluster"));
            if (!registered) {
                throw new IllegalStateException("cluster " + clusterId + " is registered already");
            }
        }
    }

    /** The properties of brokers that keep their catalogue here. */
    public Map<String, String> brokerProperties() {
        return PluginDirectory.ofStore(STORE).brokerProperties(brokerSettings(PostgresNode.DATABASE));
    }

    /** The plugin's settings for one of the server's databases, with the rights of a broker. */
    public Map<String, String> brokerSettings(String database) {
        Map<String, String> settings = settings(database, "broker");
        settings.put("cluster.state.poll.ms", "500");
        return settings;
    }

    private Map<String, String> settings(String database, String role) {
        Map<String, String> settings = new HashMap<>();
        settings.put("store", STORE);
        settings.put("jdbc.url", server.url(database));
        settings.put("jdbc.user", role);
        settings.put("jdbc.password", role);
        return settings;
    }

    private StoreAdministration administration(String database) {
        return provider.administration(context(ownerSettings(database)));
    }

    /** The settings with which an operator prepares and changes the catalogue. */
    public Map<String, String> ownerSettings(String database) {
        Map<String, String> settings = settings(database, "owner");
        settings.put("jdbc.grant.broker", "broker");
        settings.put("jdbc.grant.auditor", "auditor");
        return settings;
    }

    private StoreContext context(Map<String, String> settings) {
        return new StoreContext(
                provider.configDef().parse(settings), DELETED_RETENTION, "shelfmark-compat", StoreListener.NONE);
    }

    /** Every record of a partition that the catalogue still has, those of deleted segments included. */
    public List<SegmentRecord> records(String clusterId, Uuid topicId, int partition) {
        UUID id = new UUID(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits());
        Map<UUID, SegmentRecord> records = new LinkedHashMap<>();
        try (CatalogueStore store = provider.open(context(settings(PostgresNode.DATABASE, "broker")))) {
            store.read(
                    new PartitionKey(clusterId, id, partition),
                    new Selection.ChangedSince(0),
                    record -> records.put(record.segmentId(), record));
        }
        return List.copyOf(records.values());
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
