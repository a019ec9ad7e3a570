package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The database goes away under a running broker, and under one that starts; clients notice at most that history has to wait. */
abstract class OutageScenarios {

    private final Supplier<CatalogueServer> store;

    OutageScenarios(Supplier<CatalogueServer> store) {
        this.store = store;
    }

    private static final Duration ANSWERED_FROM_MEMORY = Duration.ofSeconds(20);
    private static final Duration A_WHILE = Duration.ofSeconds(4);

    @Test
    void databaseStopsAndComesBack() {
        try (SingleBroker single = new SingleBroker(
                store, "rlmm.config.cache.outage.max.staleness.ms", Long.toString(ANSWERED_FROM_MEMORY.toMillis()))) {
            single.catalogue().register(single.cluster().clusterId());
            single.run(() -> runsThroughOutages(single));
        }
    }

    private static void runsThroughOutages(SingleBroker single) {
        CatalogueServer database = single.catalogue();
        TieredTopic topic = single.cluster().create(TopicSpec.named("outage", 1));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(600);
            topic.awaitTiered(0);
            Set<String> remote = topic.remoteSegments(0);
            assertThat(ledger.verify().records()).isEqualTo(600);

            database.stop();
            assertThat(ledger.verify().records()).as("history, from memory").isEqualTo(600);
            ledger.write(300);
            assertThat(topic.offsets(0).start()).isZero();
            TwoBrokers.eventually(
                    "memory to be too old to answer",
                    () -> assertThat(ledger.attempt(0, A_WHILE)).isZero());
            localWorkGoesOn(topic, ledger, remote);

            database.resume();
            assertThat(ledger.verify().records()).isEqualTo(910);
            assertThat(topic.awaitTiered(0).start()).isZero();
            assertThat(topic.remoteSegments(0)).containsAll(remote).hasSizeGreaterThan(remote.size());
            assertThat(ledger.verify().records()).isEqualTo(910);

            startsWithoutDatabase(single, topic, ledger);
        }
    }

    private static void startsWithoutDatabase(SingleBroker single, TieredTopic topic, Ledger ledger) {
        Set<String> remote = topic.remoteSegments(0);
        single.catalogue().stop();
        single.cluster().restart(single.broker());
        ledger.write(100);
        assertThat(ledger.attempt(0, A_WHILE)).isZero();
        localWorkGoesOn(topic, ledger, remote);

        single.catalogue().resume();
        assertThat(ledger.verify().records()).isEqualTo(1020);
        assertThat(topic.awaitTiered(0).start()).isZero();
        assertThat(ledger.verify().records()).isEqualTo(1020);
    }

    private static void localWorkGoesOn(TieredTopic topic, Ledger ledger, Set<String> remote) {
        TierOffsets before = topic.offsets(0);
        assertThat(before.start()).isZero();
        ledger.write(10);
        assertThat(ledger.verify(before.localStart(), "read_uncommitted").records())
                .isEqualTo((int) (before.end() + 10 - before.localStart()));
        SingleBroker.stays("the log and the remote tier", () -> {
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(topic.offsets(0).localStart()).isEqualTo(before.localStart());
            assertThat(topic.remoteSegments(0)).containsAll(remote);
        });
    }
}
