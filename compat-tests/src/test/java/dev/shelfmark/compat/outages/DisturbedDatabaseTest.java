package dev.shelfmark.compat.outages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.Ledger;
import dev.shelfmark.compat.broker.PluginDirectory;
import dev.shelfmark.compat.broker.PostgresNode;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.broker.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two real brokers whose way to the database is cut or goes silent, and whose time zone PostgreSQL does not know. What must go on while the database
 * is silent is shown by its going on before the silence ends, not by a clock.
 */
@Tag("broker")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DisturbedDatabaseTest {

    private static final Duration STALE = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final int SERVED = 10;

    private JdbcCatalogue catalogue;
    private FaultProxy way;
    private TestCluster cluster;

    @BeforeAll
    void start() {
        SkippedBackEnds.abortIfNamed("postgres");
        catalogue = JdbcCatalogue.start();
        way = new FaultProxy("127.0.0.1", catalogue.server().port());
        Map<String, String> settings = catalogue.brokerSettings();
        settings.put("jdbc.url", "jdbc:postgresql://" + way.host() + ":" + way.port() + "/" + PostgresNode.DATABASE);
        settings.put("cache.leader.max.staleness.ms", Long.toString(STALE.toMillis()));
        cluster = TestCluster.builder()
                .brokers(2)
                .jvmOption("-Duser.timezone=IST")
                .brokerConfig("replica.selector.class", "org.apache.kafka.common.replica.RackAwareReplicaSelector")
                .catalogue(PluginDirectory.ofStore(catalogue.store()).brokerProperties(settings))
                .startAfter(catalogue::register);
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
        if (way != null) {
            way.close();
        }
        if (catalogue != null) {
            catalogue.close();
        }
    }

    /** In a time zone that PostgreSQL refuses; otherwise nothing would ever be tiered. */
    private TieredTopic tiered(String name, int partitions) {
        TieredTopic topic = cluster.create(TopicSpec.named(name, 1, 2).partitions(partitions));
        for (int partition = 0; partition < partitions; partition++) {
            try (Ledger ledger = new Ledger(topic, partition)) {
                ledger.write(200);
                topic.awaitTiered(partition);
                assertThat(ledger.verify().records()).isEqualTo(200);
            }
        }
        return topic;
    }

    @Test
    void cutConnectionsAreOneLineOfOursAndNoneOfThePools() {
        TieredTopic topic = tiered("cut", 1);
        Broker leader = topic.leader(0);
        int warned = leader.logLines("lost a connection to PostgreSQL").size();
        try (Ledger ledger = new Ledger(topic, 0)) {
            for (int i = 0; i < 20; i++) {
                way.cut();
                ledger.write(20);
            }
            topic.awaitTiered(0);
        }
        assertThat(leader.logLines("Failed to validate connection")).isEmpty();
        assertThat(leader.logLines("maxLifetime")).isEmpty();
        assertThat(leader.logLines("Pool is empty")).isEmpty();
        assertThat(leader.logLines("lost a connection to PostgreSQL").size() - warned)
                .isLessThanOrEqualTo(1);
    }

    @Test
    void aLedPartitionInMemoryIsReadWhileTheDatabaseIsSilent() {
        TieredTopic topic = tiered("led", 1);
        way.blackHole();
        try (Flood readers = new Flood(cluster.bootstrapServers(), topic.leader(0), topic.partition(0), SERVED)) {
            // Long enough that what is in memory must be looked at again.
            readers.measure(STALE.multipliedBy(2), Duration.ofMillis(1));
            try (Flood late = new Flood(cluster.bootstrapServers(), topic.leader(0), topic.partition(0), SERVED)) {
                Awaitility.await("consumers to be served while the database is silent")
                        .atMost(LIMIT)
                        .until(() -> readers.served() == SERVED && late.served() == SERVED);
            }
        } finally {
            way.heal();
        }
    }

    @Test
    void aFollowersReadersAreNotTiedUpWhileTheDatabaseIsSilent() {
        TieredTopic topic = tiered("followed", 1);
        TieredTopic led = cluster.create(TopicSpec.named("led-by-the-other", 2, 1));
        try (Ledger ledger = new Ledger(led, 0)) {
            ledger.write(200);
            led.awaitTiered(0);
            assertThat(ledger.verify().records()).isEqualTo(200);
        }
        way.blackHole();
        // More than the broker has remote readers, all at a partition that no look at the database can vouch for.
        topic.lead(0, 2, List.of(2, 1));
        try (Flood vain = new Flood(cluster.bootstrapServers(), cluster.broker(2), topic.partition(0), 2 * SERVED)) {
            vain.measure(Duration.ofSeconds(2), Duration.ofMillis(1));
            try (Flood readers = new Flood(cluster.bootstrapServers(), cluster.broker(2), led.partition(0), SERVED)) {
                Awaitility.await("consumers of a partition in memory to be served")
                        .atMost(LIMIT)
                        .until(() -> readers.served() == SERVED);
                assertThat(vain.records())
                        .as("records that memory can't vouch for")
                        .isZero();
            }
        } finally {
            way.heal();
        }
    }

    @Test
    void aTopicIsCreatedAfterADeletionWhileTheDatabaseIsSilent() {
        TieredTopic topic = tiered("deleted-in-silence", 10);
        way.blackHole();
        try {
            topic.delete();
            List<Integer> replicas = new ArrayList<>(List.of(1, 2));
            TieredTopic next = cluster.create(
                    new TopicSpec("created-in-silence", List.of(replicas), Map.of("min.insync.replicas", "2")));
            try (Ledger ledger = new Ledger(next, 0)) {
                // Each broker applies the creation after the deletion, on the thread that waits for the database.
                Awaitility.await("the new topic to take records")
                        .atMost(LIMIT)
                        .ignoreExceptions()
                        .until(() -> {
                            ledger.write(1);
                            return true;
                        });
            }
            assertThat(cluster.brokers())
                    .anySatisfy(broker -> assertThat(broker.logLines("its deletion could not be recorded"))
                            .singleElement()
                            .asString()
                            .contains(topic.name(), topic.id().toString()));
        } finally {
            way.heal();
        }
    }

    @Test
    void theBrokersTimeZoneIsOneThatPostgresRefuses() {
        TopicPartition partition = tiered("zone", 1).partition(0);
        assertThat(cluster.brokers())
                .allSatisfy(broker -> assertThat(broker.logLines("invalid value for parameter"))
                        .isEmpty());
        assertThat(partition.topic()).isEqualTo("zone");
    }
}
