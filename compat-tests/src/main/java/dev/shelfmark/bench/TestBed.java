package dev.shelfmark.bench;

import dev.shelfmark.compat.broker.FileTrees;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PluginDirectory;
import dev.shelfmark.compat.broker.PostgresNode;
import dev.shelfmark.compat.broker.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/** A real broker and a real PostgreSQL server on this machine, with the same catalogues in both. */
final class TestBed implements AutoCloseable {

    private final Path directory;
    private final JdbcCatalogue database;
    private final StoreFiller filler;
    private final Thread onExit = new Thread(this::remove, "remove-bench");

    private TestBed(Path directory, boolean durable) {
        this.directory = directory;
        Path data = directory.resolve("postgres");
        database = durable ? JdbcCatalogue.startEmptyAndDurable(data) : JdbcCatalogue.startEmpty(data);
        filler = new StoreFiller(database.ownerSettings());
    }

    /**
     * Starts the database.
     *
     * @param durable whether its commits wait for the disk, without which no time of a report means anything
     */
    static TestBed start(boolean durable) {
        try {
            TestBed site = new TestBed(Files.createTempDirectory("shelfmark-bench-"), durable);
            Runtime.getRuntime().addShutdownHook(site.onExit);
            site.filler.migrate();
            return site;
        } catch (IOException e) {
            throw new UncheckedIOException("can't create a directory", e);
        }
    }

    Path directory() {
        return directory;
    }

    /** A catalogue in the database, as a cluster of its own. */
    Settings shelfmark(Layout layout) {
        String clusterId = Uuid.randomUuid().toString();
        filler.fill(clusterId, layout);
        return shelfmark(database.store(), database.brokerSettings(), clusterId, layout);
    }

    /** A catalogue in a database of its own, which is filled without indexes and then given them. */
    Settings shelfmarkAlone(Layout layout) {
        String name = layout.topic();
        String clusterId = Uuid.randomUuid().toString();
        StoreFiller into = new StoreFiller(emptyCatalogue(name));
        database.server().execute(name, DeferredIndexes.TAKE);
        into.fill(clusterId, layout);
        database.server().execute(name, DeferredIndexes.MAKE);
        return shelfmark(database.store(), database.brokerSettings(name), clusterId, layout);
    }

    /** Removes it from the disk. */
    void drop(Layout layout) {
        database.server().dropDatabase(layout.topic());
    }

    /** A catalogue in the database whose deleted segments are still recorded, as they are for days. */
    Settings shelfmarkWithHistory(Layout layout) {
        Settings settings = shelfmark(layout);
        database.server().execute(PostgresNode.DATABASE, """
                insert into shelfmark.segment (
                  partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                  finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                  deleted_at, deleted_from)
                select p.id, gen_random_uuid(), %1$d * i, %1$d * i + %1$d - 1, 0, 0, 4 * i + 4, 4 * i + 2, 1000, 1, 3, true,
                       '{%2$d}', array[%1$d * i], now(), p.cluster_id
                from shelfmark.topic_partition p cross join generate_series(0::bigint, %3$d - 1) i
                where p.cluster_id = '%4$s'
                """.formatted(
                        Layout.OFFSETS, Layout.EPOCH, layout.deleted(), settings.text(Backend.MANAGER + "cluster.id")));
        return settings;
    }

    /** Has the server know what is in its tables, as it does after a minute by itself, and write down what it holds in memory. */
    void settle(Settings shelfmark) {
        String url = shelfmark.text(Backend.MANAGER + "jdbc.url");
        database.server().execute(url.substring(url.lastIndexOf('/') + 1), "vacuum analyze");
        database.server().execute("postgres", "checkpoint");
    }

    /** Bytes that the catalogue takes in the database for each segment, indexes included. */
    double bytesPerSegment() {
        return database.server().number(PostgresNode.DATABASE, """
                select pg_total_relation_size('shelfmark.segment')::float8 / count(*) from shelfmark.segment
                """);
    }

    /** Makes the table of {@link BareCommits} in a database of its own. */
    Map<String, String> bareCommits() {
        database.server().createDatabase("bare");
        database.server().execute("bare", BareCommits.SCHEMA);
        return BareCommits.settings(database.server().url("bare"), "broker", "broker");
    }

    /** An empty catalogue in a database of its own: the settings of its owner. */
    Map<String, String> emptyCatalogue(String name) {
        Map<String, String> settings = new HashMap<>(database.addEmpty(name));
        settings.remove("cluster.state.poll.ms");
        settings.put("jdbc.user", "owner");
        settings.put("jdbc.password", "owner");
        return settings;
    }

    /** The plugin in a probe, as in production. */
    static Settings shelfmark(String store, Map<String, String> broker, String clusterId, Layout layout) {
        Map<String, String> manager = new HashMap<>(broker);
        // As in production: the tests' own is shorter.
        manager.remove("cluster.state.poll.ms");
        manager.put("cluster.id", clusterId);
        Map<String, String> settings = new HashMap<>(layout.settings());
        settings.put(Probe.SIDE, Backend.SHELFMARK.name());
        settings.put(Backend.PLUGIN, PluginDirectory.ofStore(store).directory() + "/*");
        manager.forEach((name, value) -> settings.put(Backend.MANAGER + name, value));
        return new Settings(settings);
    }

    /**
     * A broker whose topic holds the history of a catalogue; close it to have the next.
     *
     * @param asReported whether each record has a batch of its own, as the topic of real brokers has, which takes its time
     */
    Brokers kafka(Layout layout, boolean asReported) {
        TestCluster cluster = TestCluster.builder()
                .directory(directory.resolve("kafka-" + Uuid.randomUuid()))
                .asInProduction()
                // The broker itself keeps out of it: what is measured runs in JVMs of its own.
                .brokerConfig("remote.log.storage.system.enable", "false")
                .start();
        try {
            TopicFiller.create(cluster.admin());
            try (TopicFiller topic = asReported
                    ? new TopicFiller(cluster.bootstrapServers())
                    : TopicFiller.inBatches(cluster.bootstrapServers())) {
                return new Brokers(cluster, layout, topic.fill(layout));
            }
        } catch (RuntimeException e) {
            cluster.printLogs(System.err);
            cluster.close();
            throw e;
        }
    }

    /**
     * A broker with a history in its topic.
     *
     * @param cluster the broker
     * @param layout the catalogue
     * @param events how many events the topic holds
     */
    record Brokers(TestCluster cluster, Layout layout, long events) implements AutoCloseable {

        Settings settings() {
            Map<String, String> settings = new HashMap<>(layout.settings());
            settings.put(Probe.SIDE, Backend.KAFKA.name());
            Map<String, String> manager = Map.of(
                    "cluster.id", cluster.clusterId(),
                    "remote.log.metadata.common.client.bootstrap.servers", cluster.bootstrapServers(),
                    "remote.log.metadata.topic.num.partitions", Integer.toString(TopicFiller.PARTITIONS),
                    "remote.log.metadata.topic.replication.factor", "1",
                    "remote.log.metadata.topic.min.isr", "1");
            manager.forEach((name, value) -> settings.put(Backend.MANAGER + name, value));
            return new Settings(settings);
        }

        /** The topic's size on the broker's disk, without the files that are allocated ahead. */
        long topicBytes() {
            try (Stream<Path> files = Files.walk(cluster.broker(1).data())) {
                return files.filter(file -> file.toString().contains(TopicFiller.TOPIC + "-"))
                        .filter(file -> file.toString().endsWith(".log"))
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            } catch (IOException e) {
                throw new UncheckedIOException("can't list the broker's files", e);
            }
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(onExit);
        remove();
    }

    private void remove() {
        database.close();
        FileTrees.delete(directory);
    }
}
