package dev.shelfmark.matrix;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.KafkaDistribution;
import dev.shelfmark.compat.broker.Ledger;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.broker.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** What operators do with one cluster, from Kafka's default to the catalogue and back. Nothing that was written may be lost. */
final class MainJob {

    private static final int SOME = 400;
    private static final Duration SETTLED = Duration.ofSeconds(60);
    private static final int MESSAGE = 200;

    private final Cell cell;
    private final Consumer<Step> listener;
    private final List<Step> done = new ArrayList<>();
    private @Nullable Step running;

    MainJob(Cell cell, Consumer<Step> listener) {
        this.cell = cell;
        this.listener = listener;
    }

    CellResult run() {
        try (JdbcCatalogue catalogue = JdbcCatalogue.start();
                TestCluster cluster = start()) {
            try {
                run(catalogue, cluster);
            } catch (RuntimeException | AssertionError e) {
                cluster.printLogs(System.err);
                throw e;
            }
            return new CellResult(cell, done, null, null);
        } catch (RuntimeException | AssertionError e) {
            e.printStackTrace();
            String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
            return new CellResult(
                    cell,
                    done,
                    running == null ? Step.CUT_OVER : running,
                    message.substring(0, Math.min(message.length(), MESSAGE)));
        }
    }

    private TestCluster start() {
        TestCluster.Builder builder = TestCluster.builder()
                .brokers(cell.roles() == Roles.COMBINED ? 3 : 2)
                .kafka(KafkaDistribution.ofVersion(cell.kafka()))
                .javaHome(cell.javaHome())
                .brokerConfig(Migration.KAFKAS_DEFAULT)
                .brokerConfig("replica.selector.class", "org.apache.kafka.common.replica.RackAwareReplicaSelector");
        return (cell.roles() == Roles.COMBINED ? builder.combinedRoles() : builder).start();
    }

    private void run(JdbcCatalogue catalogue, TestCluster cluster) {
        TieredTopic history = cluster.create(spec("history"));
        Migration migration = new Migration(cell, catalogue, cluster, history);
        try (Ledger ledger = new Ledger(history, 0)) {
            ledger.write(SOME);
            history.awaitTiered(0);
            step(Step.CUT_OVER, () -> {
                migration.cutOver();
                everything(ledger);
            });
            step(Step.TIER, () -> more(history, ledger));
            step(Step.FOLLOWER, () -> ledger.verifyThrough(follower(history)));
            if (cell.upgrades()) {
                step(Step.UPGRADE, () -> upgrade(cluster, history, ledger));
            }
            step(Step.RESTART, () -> {
                for (Broker broker : cluster.brokers()) {
                    migration.restart(broker);
                    everything(ledger);
                }
            });
            step(Step.LEADER, () -> {
                history.lead(0, 2, List.of(2, 1));
                more(history, ledger);
            });
            step(Step.KILL, () -> kill(cluster, history, ledger));
            TieredTopic expiring = cluster.create(spec("expiring"));
            step(Step.RETENTION, () -> expire(expiring));
            step(Step.DELETION, () -> {
                expiring.delete();
                eventually(
                        "the remote tier to be rid of " + expiring,
                        () -> expiring.remoteSegments(0).isEmpty());
                migration.checkFindsNothing();
                everything(ledger);
            });
            step(Step.ROLL_BACK, () -> {
                migration.rollBack();
                everything(ledger);
                more(history, ledger);
            });
        }
    }

    private TopicSpec spec(String name) {
        TopicSpec spec = TopicSpec.named(name, 1, 2);
        return cell.before(4, 1) ? spec.before41() : spec;
    }

    private void step(Step step, Runnable work) {
        running = step;
        listener.accept(step);
        work.run();
        done.add(step);
    }

    private static void everything(Ledger ledger) {
        require(ledger.verify().records() == ledger.size(), "every record is read");
    }

    private static void more(TieredTopic topic, Ledger ledger) {
        int before = topic.remoteSegments(0).size();
        ledger.write(SOME);
        topic.awaitTiered(0);
        require(topic.remoteSegments(0).size() > before, "more segments are tiered");
        everything(ledger);
    }

    private static Broker follower(TieredTopic topic) {
        Broker leader = topic.leader(0);
        return topic.cluster().broker(leader.id() == 1 ? 2 : 1);
    }

    private void upgrade(TestCluster cluster, TieredTopic topic, Ledger ledger) {
        KafkaDistribution next = KafkaDistribution.ofVersion(cell.upgradeTo());
        cluster.controller().ifPresent(controller -> {
            controller.stop();
            controller.runOn(next);
            controller.start();
        });
        for (Broker broker : cluster.brokers()) {
            broker.stop();
            broker.runOn(next);
            broker.start();
            cluster.awaitUp(broker);
            topic.awaitInSync(0, Set.of(1, 2));
            everything(ledger);
        }
        more(topic, ledger);
    }

    private static void kill(TestCluster cluster, TieredTopic topic, Ledger ledger) {
        Broker victim = topic.leader(0);
        victim.kill();
        topic.awaitLeader(0, leader -> leader.id() != victim.id());
        everything(ledger);
        more(topic, ledger);
        victim.start();
        cluster.awaitUp(victim);
        topic.awaitInSync(0, Set.of(1, 2));
        topic.lead(0, victim.id(), victim.id() == 1 ? List.of(1, 2) : List.of(2, 1));
        more(topic, ledger);
    }

    private static void expire(TieredTopic topic) {
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(2 * SOME);
            topic.awaitTiered(0);
            int before = topic.remoteSegments(0).size();
            topic.configure("retention.bytes", Integer.toString(TopicSpec.SEGMENT_BYTES * 5));
            topic.await(0, "shortened", now -> now.start() > 0);
            eventually(
                    "the remote tier to shrink", () -> topic.remoteSegments(0).size() < before / 2);
            long start = topic.offsets(0).start();
            require(
                    ledger.verify(start, "read_uncommitted").records() == 2 * SOME - start,
                    "what retention keeps is read");
        }
    }

    static void eventually(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(SETTLED)
                .pollInterval(Duration.ofMillis(200))
                .until(condition::getAsBoolean);
    }

    static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("not so: " + what);
        }
    }
}
