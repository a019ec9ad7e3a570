package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A catalogue that does not know the cluster says nothing: a broker that took it for empty would delete the history. */
abstract class RegistrationScenarios {

    private final Supplier<CatalogueServer> store;

    RegistrationScenarios(Supplier<CatalogueServer> store) {
        this.store = store;
    }

    private static final Duration A_WHILE = Duration.ofSeconds(5);

    @Test
    void nothingIsLostWhileTheClusterIsUnknown() {
        try (SingleBroker single = new SingleBroker(store, "log.retention.ms", "-1")) {
            single.run(() -> registersLateAndMeetsAnEmptyCatalogue(single));
        }
    }

    private static void registersLateAndMeetsAnEmptyCatalogue(SingleBroker single) {
        single.catalogue().register("another-cluster");
        TieredTopic topic = single.cluster().create(TopicSpec.named("unregistered", 1));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(600);
            refusesToWork(single, topic, ledger);

            single.catalogue().register(single.cluster().clusterId());
            assertThat(topic.awaitTiered(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(600);

            restartWith(single, single.catalogue().addEmpty("lost"));
            keepsTheHistory(single, topic, ledger);

            restartWith(single, single.catalogue().brokerSettings());
            assertThat(ledger.verify().records()).isEqualTo(700);
            assertThat(topic.awaitTiered(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(700);
        }
    }

    private static void refusesToWork(SingleBroker single, TieredTopic topic, Ledger ledger) {
        LocalLog log = LocalLog.of(single.broker(), topic.partition(0));
        List<Long> segments = log.baseOffsets();
        assertThat(segments).hasSizeGreaterThan(5);
        TwoBrokers.eventually(
                "the broker to say what to do",
                () -> assertThat(single.broker().logLines("the catalogue is not ready"))
                        .anySatisfy(line -> assertThat(line)
                                .contains(single.cluster().clusterId(), "shelfmark init", "shelfmark import")));
        SingleBroker.stays("nothing copied, nothing deleted", () -> {
            assertThat(topic.offsets(0)).isEqualTo(new TierOffsets(0, 0, -1, 600));
            assertThat(topic.remoteSegments(0)).isEmpty();
            assertThat(log.baseOffsets()).isEqualTo(segments);
        });
        assertThat(ledger.verify().records()).isEqualTo(600);
    }

    private static void restartWith(SingleBroker single, Map<String, String> settings) {
        settings.forEach((key, value) -> single.broker().configure("rlmm.config." + key, value));
        single.cluster().restart(single.broker());
    }

    private static void keepsTheHistory(SingleBroker single, TieredTopic topic, Ledger ledger) {
        Set<String> remote = topic.remoteSegments(0);
        LocalLog log = LocalLog.of(single.broker(), topic.partition(0));
        long localStart = log.baseOffsets().get(0);
        assertThat(remote).hasSizeGreaterThan(5);
        assertThat(localStart).isPositive();

        ledger.write(100);
        assertThat(ledger.attempt(0, A_WHILE))
                .as("records of the history, which only the catalogue could find")
                .isZero();
        assertThat(ledger.verify(localStart, "read_uncommitted").records()).isEqualTo((int) (700 - localStart));
        SingleBroker.stays("the history and the local log", () -> {
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(topic.offsets(0).localStart()).isEqualTo(localStart);
            assertThat(topic.remoteSegments(0)).isEqualTo(remote);
        });
    }
}
