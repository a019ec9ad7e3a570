package dev.shelfmark.compat.outages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.CatalogueServer;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.Ledger;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.broker.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Consumers of tiered records while the catalogue can't be asked: Kafka's own, whose metadata topic has no leader, and Shelfmark, whose
 * database is down, on the same machine in one run. Shelfmark must cause no more fetches and no more log lines than the default.
 */
@Tag("broker")
class FloodTest {

    private static final List<Integer> CONSUMERS = List.of(1, 10, 100);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration COUNTED = Duration.ofSeconds(Integer.getInteger("flood.seconds", 8));
    private static final String METADATA_TOPIC = "__remote_log_metadata";
    private static final int RECORDS = 600;

    /** Two counts over some seconds never agree to the last request. */
    private static final double SLACK = 1.15;

    private static final double SLACK_PER_SECOND = 2;

    @BeforeAll
    static void skippedAloud() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void noMoreFetchesAndLogLinesThanWithKafkasDefault() {
        Map<Integer, Flood.Rate> kafka = ofKafka();
        Map<Integer, Flood.Rate> shelfmark = ofShelfmark();
        for (int consumers : CONSUMERS) {
            System.out.printf(
                    Locale.ROOT,
                    "flood | %d | %.1f | %.1f | %.1f | %.1f%n",
                    consumers,
                    rate(kafka, consumers).fetches(),
                    rate(shelfmark, consumers).fetches(),
                    rate(kafka, consumers).lines(),
                    rate(shelfmark, consumers).lines());
        }
        for (int consumers : CONSUMERS) {
            assertThat(rate(shelfmark, consumers).fetches())
                    .as("fetches a second of %d consumers", consumers)
                    .isLessThanOrEqualTo(SLACK * rate(kafka, consumers).fetches() + SLACK_PER_SECOND);
            assertThat(rate(shelfmark, consumers).lines())
                    .as("broker log lines a second with %d consumers", consumers)
                    .isLessThanOrEqualTo(SLACK * rate(kafka, consumers).lines() + SLACK_PER_SECOND);
        }
    }

    private static Flood.Rate rate(Map<Integer, Flood.Rate> rates, int consumers) {
        return Optional.ofNullable(rates.get(consumers)).orElseThrow();
    }

    private static Map<Integer, Flood.Rate> ofKafka() {
        try (TestCluster cluster = TestCluster.builder().brokers(2).start()) {
            TieredTopic topic = tiered(cluster);
            Broker keeper = cluster.broker(2);
            for (int partition = 0; partition < 3; partition++) {
                TopicPartition metadata = new TopicPartition(METADATA_TOPIC, partition);
                cluster.admin()
                        .alterPartitionReassignments(
                                Map.of(metadata, Optional.of(new NewPartitionReassignment(List.of(keeper.id())))));
            }
            Awaitility.await("the metadata topic to move")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> cluster
                            .admin()
                            .describeTopics(List.of(METADATA_TOPIC))
                            .topicNameValues()
                            .values()
                            .iterator()
                            .next()
                            .get()
                            .partitions()
                            .stream()
                            .allMatch(partition -> partition.leader() != null
                                    && partition.leader().id() == keeper.id()));
            keeper.kill();
            cluster.awaitDown(keeper);
            cluster.restart(cluster.broker(1));
            return measured(cluster, topic);
        }
    }

    private static Map<Integer, Flood.Rate> ofShelfmark() {
        try (CatalogueServer catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        .catalogue(catalogue.brokerProperties())
                        .startAfter(catalogue::register)) {
            TieredTopic topic = tiered(cluster);
            catalogue.stop();
            cluster.restart(cluster.broker(1));
            Map<Integer, Flood.Rate> rates = measured(cluster, topic);
            recovers(catalogue, cluster, topic);
            return rates;
        }
    }

    private static TieredTopic tiered(TestCluster cluster) {
        TieredTopic topic = cluster.create(TopicSpec.named("flooded", 1));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(RECORDS);
            topic.awaitTiered(0);
        }
        return topic;
    }

    private static Map<Integer, Flood.Rate> measured(TestCluster cluster, TieredTopic topic) {
        Map<Integer, Flood.Rate> rates = new TreeMap<>();
        for (int consumers : CONSUMERS) {
            try (Flood flood =
                    new Flood(cluster.bootstrapServers(), cluster.broker(1), topic.partition(0), consumers)) {
                Flood.Rate rate = flood.measure(WARM_UP, COUNTED);
                assertThat(rate.records()).as("records that nobody can find").isZero();
                rates.put(consumers, rate);
            }
        }
        return rates;
    }

    /** Every consumer of those that waited is served once the database is back. */
    private static void recovers(CatalogueServer catalogue, TestCluster cluster, TieredTopic topic) {
        try (Flood flood = new Flood(cluster.bootstrapServers(), cluster.broker(1), topic.partition(0), 10)) {
            flood.measure(WARM_UP, Duration.ofMillis(1));
            catalogue.resume();
            long begun = System.nanoTime();
            Awaitility.await("all consumers to be served")
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> flood.served() == 10);
            System.out.printf(Locale.ROOT, "flood | recovery | %d ms%n", (System.nanoTime() - begun) / 1_000_000);
        }
    }
}
