package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Proves the harness itself, with the catalogue that Kafka brings along. */
@Tag("broker")
class TopicBasedCatalogueBrokerTest {

    @Test
    void tiersSurvivesAKillAndServesItsHistory() {
        try (TestCluster cluster = TestCluster.builder().start()) {
            TieredTopic topic = cluster.create(TopicSpec.named("history", 1));
            try (Ledger ledger = new Ledger(topic, 0)) {
                ledger.write(1000);
                TierOffsets tiered = topic.awaitTiered(0);
                assertThat(tiered.start()).isZero();
                assertThat(tiered.hasRemoteOnly()).isTrue();
                assertThat(topic.remoteSegments(0)).hasSizeGreaterThan(5);

                Broker broker = cluster.broker(1);
                broker.kill();
                broker.start();
                cluster.awaitUp(broker);

                assertThat(topic.offsets(0).start()).isZero();
                assertThat(ledger.verify().records()).isEqualTo(1000);
            }
        }
    }
}
