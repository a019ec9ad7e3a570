package dev.shelfmark.quickstart;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.CatalogueServer;
import dev.shelfmark.compat.broker.KafkaDistribution;
import dev.shelfmark.compat.broker.Ledger;
import dev.shelfmark.compat.broker.PluginDirectory;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TierOffsets;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.broker.TopicSpec;
import dev.shelfmark.store.SegmentRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What the quickstart shows, in order: a database, its registration, a broker with the plugin, records in the remote tier only, a
 * killed broker, and every record again.
 */
final class Demonstration implements AutoCloseable {

    private static final String TOPIC = "quickstart";

    private final Narrator narrator;
    private final Workspace workspace;
    private final ShownStore store;
    private final Path root;
    private final int port;
    private final boolean keep;
    private final String clusterId = Uuid.randomUuid().toString();

    private @Nullable CatalogueServer catalogue;
    private @Nullable TestCluster cluster;

    Demonstration(Narrator narrator, Workspace workspace, ShownStore store, Path root, int port, boolean keep) {
        this.narrator = narrator;
        this.workspace = workspace;
        this.store = store;
        this.root = root;
        this.port = port;
        this.keep = keep;
    }

    void run(int records) {
        long begun = System.nanoTime();
        narrator.say("A Kafka broker with tiered storage whose catalogue of remote segments is kept in "
                + store.product() + ".");
        narrator.say("");
        CatalogueServer database = startDatabase();
        register(database);
        TestCluster kafka = startBroker(database);
        try {
            TieredTopic topic = createTopic(kafka);
            try (Ledger ledger = new Ledger(topic, 0)) {
                write(ledger, records);
                awaitTiered(topic);
                long killed = killAndRestart(kafka);
                Duration untilFirst = readBack(topic, ledger, killed);
                showCatalogue(database, topic);
                verdict(ledger.size(), untilFirst, begun);
            }
        } catch (RuntimeException | AssertionError e) {
            if (!workspace.exiting()) {
                kafka.printLogs(System.err);
            }
            throw e;
        }
        if (keep) {
            leaveUp(database, kafka);
        }
    }

    private CatalogueServer startDatabase() {
        CatalogueServer[] started = new CatalogueServer[1];
        narrator.step("Start " + store.product() + ", a process of its own", () -> {
            started[0] = store.start(workspace.directory(), keep);
            catalogue = started[0];
            return started[0].address();
        });
        return started[0];
    }

    private void register(CatalogueServer database) {
        Tool tool = new Tool(root, workspace.directory().resolve("shelfmark.properties"))
                .configure(database.ownerSettings());
        narrator.step(
                store.preparation() + " and register the new cluster: bin/shelfmark init",
                () -> withoutPolicies(tool.run("init", "--cluster-id", clusterId, "--no-broker-check")));
    }

    /** Their headings stay; the policies themselves would fill the screen. */
    private static String withoutPolicies(String said) {
        return said.lines()
                .filter(line -> !line.isEmpty() && Character.isLetter(line.charAt(0)))
                .map(line -> line.startsWith("IAM policy") ? line + " (left out here)" : line)
                .collect(Collectors.joining("\n"));
    }

    private TestCluster startBroker(CatalogueServer database) {
        TestCluster[] started = new TestCluster[1];
        PluginDirectory plugin = PluginDirectory.ofStore(database.store());
        narrator.step("Start a Kafka " + KafkaDistribution.locate().version() + " broker with the plugin", () -> {
            TestCluster.Builder builder = TestCluster.builder()
                    .directory(workspace.directory().resolve("kafka"))
                    .clusterId(clusterId)
                    .port(port)
                    .catalogue(plugin.brokerProperties(database.brokerSettings()));
            started[0] = (keep ? builder.outlivingParent() : builder).start();
            cluster = started[0];
            return started[0].bootstrapServers() + ", cluster " + clusterId + "\n"
                    + "remote.log.metadata.manager.class.path=" + plugin.directory() + "/*";
        });
        return started[0];
    }

    private TieredTopic createTopic(TestCluster kafka) {
        TieredTopic[] created = new TieredTopic[1];
        narrator.step("Create a tiered topic that keeps nothing locally but its active segment", () -> {
            created[0] = kafka.create(TopicSpec.named(TOPIC, 1));
            return "topic '" + TOPIC + "', id " + created[0].id();
        });
        return created[0];
    }

    private void write(Ledger ledger, int records) {
        narrator.step("Write " + records + " records", () -> {
            ledger.write(records);
            return "offsets 0 to " + (records - 1) + ", all acknowledged";
        });
    }

    private void awaitTiered(TieredTopic topic) {
        narrator.step("Wait until they are in the remote tier and gone from the broker's disk", () -> {
            TierOffsets tiered = topic.awaitTiered(0);
            return topic.remoteSegments(0).size() + " segments are in the remote tier: offsets " + tiered.start()
                    + " to " + tiered.latestTiered() + "\nthe broker's own disk begins at offset "
                    + tiered.localStart();
        });
    }

    /** When the broker began to start again. */
    private long killAndRestart(TestCluster kafka) {
        long[] restarted = new long[1];
        Broker broker = kafka.broker(1);
        narrator.step("Kill the broker (SIGKILL) and start it again", () -> {
            long pid = broker.pid();
            broker.kill();
            restarted[0] = System.nanoTime();
            broker.start();
            kafka.awaitUp(broker);
            return "process " + pid + " is gone, process " + broker.pid() + " serves";
        });
        return restarted[0];
    }

    private Duration readBack(TieredTopic topic, Ledger ledger, long restarted) {
        Duration[] untilFirst = new Duration[1];
        narrator.step("Read everything from offset 0 and compare each record", () -> {
            Duration started = Duration.ofNanos(System.nanoTime() - restarted);
            Ledger.Reading reading = ledger.verify();
            untilFirst[0] = started.plus(reading.untilFirst());
            return reading.records() + " of " + ledger.size()
                    + " records came back, each with its key, value and offset\n" + "log start offset "
                    + topic.offsets(0).start() + ", as before";
        });
        return untilFirst[0];
    }

    private void showCatalogue(CatalogueServer database, TieredTopic topic) {
        List<SegmentRecord> rows = database.records(clusterId, topic.id(), 0);
        narrator.say("");
        narrator.say("What the catalogue holds of " + TOPIC + "-0 (" + rows.size() + " " + store.contents() + "):");
        SegmentTable.of(rows).forEach(line -> narrator.say("    " + line));
    }

    private void verdict(int records, Duration untilFirst, long begun) {
        narrator.say("");
        narrator.say("Time from the restart to the first remote record: " + Narrator.seconds(untilFirst));
        narrator.say("PASSED: all " + records
                + " records came back from the remote tier and the local log; " + store.product()
                + " knew where they were. ("
                + Narrator.seconds(Duration.ofNanos(System.nanoTime() - begun)) + ")");
    }

    private void leaveUp(CatalogueServer database, TestCluster kafka) {
        workspace.keep();
        kafka.abandon();
        cluster = null;
        catalogue = null;
        narrator.say("");
        narrator.say("Left up, as --keep asks:");
        narrator.say("    Kafka        " + kafka.bootstrapServers() + "  (log: "
                + kafka.broker(1).log() + ")");
        narrator.say("    read it      java -cp '" + KafkaDistribution.locate().classPath() + "' \\");
        narrator.say("                   org.apache.kafka.tools.consumer.ConsoleConsumer --bootstrap-server "
                + kafka.bootstrapServers() + " --topic " + TOPIC + " --from-beginning");
        narrator.say(String.format("    %-12s %s  (%s)", store.product(), database.address(), store.login()));
        narrator.say("    look into it bin/shelfmark state --config "
                + workspace.directory().resolve("shelfmark.properties"));
        narrator.say("    end it       bin/quickstart --stop");
    }

    @Override
    public void close() {
        if (workspace.exiting()) {
            return;
        }
        if (cluster != null) {
            cluster.close();
        }
        if (catalogue != null) {
            catalogue.close();
        }
    }
}
