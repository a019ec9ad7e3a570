package dev.shelfmark.matrix;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PluginDirectory;
import dev.shelfmark.compat.broker.ShelfmarkCommand;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TieredTopic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The way into the catalogue and back: through bridge mode where the release has what that needs, else offline. */
final class Migration {

    /** Kafka's own metadata manager, on two brokers. */
    static final Map<String, String> KAFKAS_DEFAULT = Map.of(
            "rlmm.config.remote.log.metadata.topic.num.partitions", "3",
            "rlmm.config.remote.log.metadata.topic.replication.factor", "2",
            "rlmm.config.remote.log.metadata.topic.min.isr", "1");

    private static final String[] OURS = {"remote.log.metadata.manager.class", "rlmm.config."};
    private static final String COPY_DISABLED = "remote.log.copy.disable";

    private static final String LOCAL_BYTES = "local.retention.bytes";

    private final Cell cell;
    private final TestCluster cluster;
    private final TieredTopic topic;
    private final ShelfmarkCommand shelfmark;
    private final PluginDirectory plugin;
    private final Map<String, String> settings;

    Migration(Cell cell, JdbcCatalogue catalogue, TestCluster cluster, TieredTopic topic) {
        this.cell = cell;
        this.cluster = cluster;
        this.topic = topic;
        this.shelfmark = ShelfmarkCommand.in(
                cluster.directory().resolve("tool"), catalogue.ownerSettings(), cluster.bootstrapServers());
        this.plugin = PluginDirectory.ofStore(catalogue.store());
        this.settings = catalogue.brokerSettings();
    }

    private boolean offline() {
        return cell.before(4, 0);
    }

    void cutOver() {
        if (offline()) {
            copying(false);
            succeed("import");
            succeed("cutover", "--offline");
            roll(withPlugin(Map.of()));
            copying(true);
        } else {
            succeed("import");
            roll(bridge());
            succeed("cutover", "--deadline", "60");
            roll(withPlugin(Map.of()));
        }
    }

    void rollBack() {
        if (offline()) {
            copying(false);
            succeed("export");
            roll(KAFKAS_DEFAULT);
            copying(true);
        } else {
            roll(bridge());
            succeed("rollback", "--deadline", "60");
            roll(KAFKAS_DEFAULT);
        }
    }

    /** Kafka refuses to stop copying while a topic keeps less on its brokers than in all. */
    private void copying(boolean on) {
        if (on) {
            topic.configure(COPY_DISABLED, "false");
            topic.configure(LOCAL_BYTES, "1");
        } else {
            topic.configure(LOCAL_BYTES, "-2");
            topic.configure(COPY_DISABLED, "true");
        }
    }

    void checkFindsNothing() {
        ShelfmarkCommand.Result result = shelfmark.run("check");
        MainJob.require(result.exit() == 0, "shelfmark check finds nothing: " + result.output());
    }

    private Map<String, String> bridge() {
        return withPlugin(Map.of("migration.mode", "bridge", "migration.lease.ms", "4000"));
    }

    private Map<String, String> withPlugin(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        Map<String, String> properties = new HashMap<>(cell.loading().properties(plugin, all));
        properties.putAll(KAFKAS_DEFAULT);
        return properties;
    }

    private void roll(Map<String, String> properties) {
        boolean ours = properties.containsKey("remote.log.metadata.manager.class.name");
        for (Broker broker : cluster.brokers()) {
            broker.reconfigure(properties, OURS);
            broker.classPath(ours ? cell.loading().jars(plugin) : List.of());
            restart(broker);
        }
    }

    /** Restarts a broker and waits until the topic is replicated again. */
    void restart(Broker broker) {
        cluster.restart(broker);
        topic.awaitInSync(0, Set.of(1, 2));
    }

    private void succeed(String... arguments) {
        ShelfmarkCommand.Result result = shelfmark.run(arguments);
        MainJob.require(
                result.exit() == 0, "shelfmark " + String.join(" ", arguments) + " succeeds: " + result.output());
    }
}
