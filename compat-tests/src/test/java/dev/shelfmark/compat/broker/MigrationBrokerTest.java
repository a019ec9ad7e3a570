package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.remote.StoragePoint;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster of three real brokers moves from Kafka's default to the catalogue and back, while producers, consumers, tiering, retention and leader
 * changes go on, and while whoever moves it is killed and a broker sleeps.
 */
@Tag("broker")
@Timeout(900)
class MigrationBrokerTest {

    private static final Map<String, String> TOPIC_BASED = Map.of(
            "rlmm.config.remote.log.metadata.topic.num.partitions", "3",
            "rlmm.config.remote.log.metadata.topic.replication.factor", "3",
            "rlmm.config.remote.log.metadata.topic.min.isr", "1");
    private static final String[] OURS = {"remote.log.metadata.manager.class", "rlmm.config."};

    private JdbcCatalogue catalogue = JdbcCatalogue.start();
    private TestCluster cluster =
            TestCluster.builder().brokers(3).brokerConfig(TOPIC_BASED).start();
    private ShelfmarkCommand shelfmark = command(catalogue.ownerSettings(), "tool");

    @BeforeAll
    static void skip() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @BeforeEach
    void announce(TestInfo test) {
        System.err.println(test.getDisplayName() + " in " + cluster.directory());
    }

    @AfterEach
    void close() {
        cluster.close();
        catalogue.close();
    }

    private ShelfmarkCommand command(Map<String, String> settings, String name) {
        return ShelfmarkCommand.in(cluster.directory().resolve(name), settings, cluster.bootstrapServers());
    }

    private Map<String, String> bridge() {
        Map<String, String> properties = new HashMap<>(TOPIC_BASED);
        properties.putAll(catalogue.brokerProperties());
        properties.put("rlmm.config.migration.mode", "bridge");
        properties.put("rlmm.config.migration.lease.ms", "4000");
        return properties;
    }

    private void roll(Broker broker, Map<String, String> properties, List<TieredTopic> topics) {
        broker.reconfigure(properties, OURS);
        cluster.restart(broker);
        topics.forEach(topic -> topic.awaitInSync(0, Set.of(1, 2, 3)));
    }

    @Test
    void fromTheDefaultToTheCatalogueAndBack() {
        TieredTopic history = cluster.create(TopicSpec.named("history", 1, 2, 3));
        TieredTopic expiring =
                cluster.create(TopicSpec.named("expiring", 2, 3, 1).with("retention.bytes", "60000"));
        List<TieredTopic> topics = List.of(history, expiring);
        try (Traffic kept = new Traffic(history, true);
                Traffic passing = new Traffic(expiring, false)) {
            history.await(0, "tiered", now -> now.latestTiered() > 200);
            expiring.await(0, "deleted from", now -> now.start() > 0);

            ShelfmarkCommand.Run follow = shelfmark.start("import", "--follow");
            follow.awaitOutput("everything that was there when it began is in");
            roll(cluster.broker(1), bridge(), topics);
            roll(cluster.broker(2), bridge(), topics);
            ShelfmarkCommand.Result early = shelfmark.run("cutover", "--deadline", "40");
            assertThat(early.exit()).as(early.output()).isEqualTo(1);
            assertThat(early.output()).contains("broker 3 has never written a heartbeat");
            roll(cluster.broker(3), bridge(), topics);
            check(kept, passing);

            // Killed as soon as writes wait: the next run goes on from there.
            shelfmark
                    .start("cutover", "--deadline", "40")
                    .awaitOutput("draining_to_ready (revision")
                    .kill();
            assertThat(state()).contains("draining_to_ready", "run it again");
            ShelfmarkCommand.Result ready = shelfmark.run("cutover", "--deadline", "40");
            assertThat(ready.exit()).as(ready.output()).isZero();
            assertThat(ready.output()).contains("going on from there", "ready (revision", "every broker acts on it");
            System.err.println(ready.output());
            assertThat(follow.await().exit()).isZero();
            check(kept, passing);
            for (Broker broker : cluster.brokers()) {
                TwoBrokers.eventually(
                        broker + " to have changed over",
                        () -> assertThat(broker.logLines("Kafka's own metadata manager is closed"))
                                .hasSize(1));
                assertThat(broker.logLines(": READY (revision")).hasSize(1);
            }

            history.lead(0, 2, List.of(2, 3, 1));
            long tiered = history.offsets(0).latestTiered();
            history.await(0, "tiered by the catalogue", now -> now.latestTiered() > tiered + 300);
            long deleted = expiring.offsets(0).start();
            expiring.await(0, "deleted from by the catalogue", now -> now.start() > deleted + 100);
            ShelfmarkCommand.Result verified = shelfmark.run("verify");
            assertThat(verified.exit()).as(verified.output()).isZero();

            // And back; killed once before the switch is thrown.
            shelfmark
                    .start("rollback", "--deadline", "40")
                    .awaitOutput("nobody writes")
                    .kill();
            assertThat(state()).contains("draining_to_bridged");
            ShelfmarkCommand.Result bridged = shelfmark.run("rollback", "--deadline", "40");
            assertThat(bridged.exit()).as(bridged.output()).isZero();
            System.err.println(bridged.output());
            check(kept, passing);
            long before = history.offsets(0).latestTiered();
            history.await(0, "tiered by the topic again", now -> now.latestTiered() > before + 100);
            for (Broker broker : cluster.brokers()) {
                roll(broker, TOPIC_BASED, topics);
            }
            history.lead(0, 3, List.of(3, 1, 2));
            long after = history.offsets(0).latestTiered();
            history.await(0, "tiered by Kafka's default", now -> now.latestTiered() > after + 100);

            int readings = kept.readings();
            TwoBrokers.eventually(
                    "a whole reading", () -> assertThat(kept.readings()).isGreaterThan(readings));
            Ledger ledger = kept.stop();
            Ledger rest = passing.stop();
            history.awaitTiered(0);
            assertThat(history.offsets(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(ledger.size());
            long start = expiring.offsets(0).start();
            assertThat(start).isPositive();
            rest.verify(start, "read_uncommitted");
        }
        assertTopicMatchesTheRemoteTier(history);
    }

    private static void check(Traffic... all) {
        for (Traffic each : all) {
            each.check();
        }
    }

    private String state() {
        return shelfmark.withoutBrokers("state");
    }

    /** Kafka's own catalogue, brought into an empty one of ours to be looked at. */
    private void assertTopicMatchesTheRemoteTier(TieredTopic topic) {
        Map<String, String> fresh = new HashMap<>(catalogue.addEmpty("fresh"));
        fresh.put("jdbc.user", "owner");
        fresh.put("jdbc.password", "owner");
        fresh.remove("cluster.state.poll.ms");
        ShelfmarkCommand tool = command(fresh, "fresh");
        ShelfmarkCommand.Result imported = tool.run("import");
        assertThat(imported.exit()).as(imported.output()).isZero();
        ShelfmarkCommand.Result verified = tool.run("verify");
        assertThat(verified.exit()).as(verified.output()).isZero();
        Set<String> live = CatalogueAccess.with(fresh).records(cluster.clusterId(), topic.id(), 0).stream()
                .filter(record -> record.state().live())
                .map(SegmentRecord::segmentId)
                .map(TextualId::of)
                .collect(Collectors.toSet());
        assertThat(live).as("segments that Kafka's topic knows").containsAll(topic.remoteSegments(0));
    }

    @Test
    void aBrokerSleepsThroughTheSwitch() {
        TieredTopic history = cluster.create(TopicSpec.named("sleepy", 3, 1, 2));
        try (Traffic kept = new Traffic(history, true)) {
            history.await(0, "tiered", now -> now.latestTiered() > 200);
            for (Broker broker : cluster.brokers()) {
                roll(broker, bridge(), List.of(history));
            }
            history.lead(0, 3, List.of(3, 1, 2));
            ShelfmarkCommand.Result imported = shelfmark.run("import");
            assertThat(imported.exit()).as(imported.output()).isZero();
            TwoBrokers.eventually(
                    "the brokers to be on the bridge",
                    () -> cluster.brokers()
                            .forEach(broker -> assertThat(broker.logLines(": IMPORTING (revision"))
                                    .isNotEmpty()));

            Broker sleeper = cluster.broker(3);
            sleeper.storage().pauseAt(StoragePoint.AFTER_COPY);
            TwoBrokers.eventually(
                    "the sleeper to be copying",
                    () -> assertThat(sleeper.storage().reached(StoragePoint.AFTER_COPY))
                            .isTrue());
            sleeper.pause();
            cluster.awaitDown(sleeper);
            ShelfmarkCommand.Run killed = shelfmark.start("cutover", "--deadline", "60");
            killed.awaitOutput("the topic's last records are in").kill();
            assertThat(killed.output()).contains("broker 3 is gone; its lease may last");
            ShelfmarkCommand.Result ready = shelfmark.run("cutover", "--deadline", "60");
            assertThat(ready.exit()).as(ready.output()).isZero();
            long tiered = history.offsets(0).latestTiered();
            history.await(0, "tiered by others", now -> now.latestTiered() > tiered + 100);

            sleeper.storage().release(StoragePoint.AFTER_COPY);
            sleeper.resume();
            history.awaitInSync(0, Set.of(1, 2, 3));
            TwoBrokers.eventually(
                    "the sleeper to have changed over",
                    () -> assertThat(sleeper.logLines(": READY (revision")).hasSize(1));
            history.lead(0, 3, List.of(3, 1, 2));
            long woken = history.offsets(0).latestTiered();
            history.await(0, "tiered by the sleeper", now -> now.latestTiered() > woken + 100);
            assertNothingIsLost(history, kept.stop());
        }
    }

    @Test
    void aBrokerNeverAcknowledges() {
        TieredTopic history = cluster.create(TopicSpec.named("stubborn", 1, 2, 3));
        try (Traffic kept = new Traffic(history, true);
                FaultProxy way = new FaultProxy("127.0.0.1", catalogue.server().port())) {
            history.await(0, "tiered", now -> now.latestTiered() > 200);
            assertThat(shelfmark.run("import").exit()).isZero();
            roll(cluster.broker(1), bridge(), List.of(history));
            roll(cluster.broker(2), bridge(), List.of(history));
            Broker deaf = cluster.broker(3);
            roll(deaf, catalogue.brokerProperties(), List.of(history));
            refused("broker 3 runs the plugin without rlmm.config.migration.mode=bridge", "nothing was changed");

            Map<String, String> throughTheProxy = bridge();
            throughTheProxy.computeIfPresent(
                    "rlmm.config.jdbc.url",
                    (key, url) -> url.replace(":" + catalogue.server().port() + "/", ":" + way.port() + "/"));
            roll(deaf, throughTheProxy, List.of(history));
            TwoBrokers.eventually(
                    "the broker to be on the bridge",
                    () -> assertThat(deaf.logLines(": IMPORTING (revision")).isNotEmpty());
            // So slow that it can be cut off after the switch to draining, and before it has acknowledged that.
            way.delay(Duration.ofMillis(500));
            ShelfmarkCommand.Run waiting =
                    shelfmark.start("cutover", "--deadline", "15").awaitOutput("draining_to_ready (revision");
            way.refuse();
            ShelfmarkCommand.Result given = waiting.await();
            assertThat(given.exit()).as(given.output()).isEqualTo(1);
            assertThat(given.output())
                    .contains("given up, and all is importing as before: the deadline passed: broker 3 has not"
                            + " acknowledged DRAINING_TO_READY")
                    .contains(
                            "it acts on IMPORTING (revision 1); its heartbeat stands still",
                            "does it reach the store?");
            assertThat(state()).contains("importing", "given up: the deadline passed");
            long tiered = history.offsets(0).latestTiered();
            history.await(0, "tiered by the topic", now -> now.latestTiered() > tiered + 100);
            refused("broker 3 has not acknowledged IMPORTING", "its heartbeat stands still", "nothing was changed");
            kept.check();

            way.heal();
            killedWhilePreparing();
            ShelfmarkCommand.Result ready = shelfmark.run("cutover", "--deadline", "40");
            assertThat(ready.exit()).as(ready.output()).isZero();
            history.lead(0, 3, List.of(3, 1, 2));
            long before = history.offsets(0).latestTiered();
            history.await(0, "tiered by the catalogue", now -> now.latestTiered() > before + 100);
            assertNothingIsLost(history, kept.stop());
            assertThat(shelfmark.run("verify").exit()).isZero();
        }
    }

    private void refused(String... why) {
        ShelfmarkCommand.Result result = shelfmark.run("cutover", "--deadline", "40");
        assertThat(result.exit()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains(why);
        assertThat(state()).contains("importing");
    }

    /** While it holds the claim to import, and when it has given that back and compares. */
    private void killedWhilePreparing() {
        for (String printed : List.of("reading ", "the import is up to date")) {
            shelfmark.start("cutover", "--deadline", "40").awaitOutput(printed).kill();
            assertThat(state()).contains("importing").doesNotContain("draining");
        }
    }

    private void assertNothingIsLost(TieredTopic topic, Ledger ledger) {
        topic.awaitTiered(0);
        assertThat(topic.offsets(0).start()).isZero();
        assertThat(ledger.verify().records()).isEqualTo(ledger.size());
        Set<String> known = catalogue.records(cluster.clusterId(), topic.id(), 0).stream()
                .filter(record -> record.state().live())
                .map(record -> TextualId.of(record.segmentId()))
                .collect(Collectors.toSet());
        assertThat(known).as("segments that the catalogue knows").containsAll(topic.remoteSegments(0));
    }
}
