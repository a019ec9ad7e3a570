package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.remote.StoragePoint;
import dev.shelfmark.store.SegmentState;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The leader changes, by order, by death, or to a broker that never had the partition. */
abstract class LeadershipScenarios {

    @Test
    void leaderChangesInTheMiddleOfCopying(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("changes-leader", 1, 2));
        Broker old = brokers.broker(1);
        try (Ledger ledger = new Ledger(topic, 0)) {
            old.storage().pauseAt(StoragePoint.AFTER_COPY);
            ledger.write(600);
            TwoBrokers.eventually(
                    "the old leader to be copying",
                    () -> assertThat(old.storage().reached(StoragePoint.AFTER_COPY))
                            .isTrue());
            Set<String> halfCopied = brokers.ids(topic, SegmentState.COPY_SEGMENT_STARTED);
            assertThat(halfCopied).hasSize(1);

            topic.lead(0, 2, List.of(2, 1));
            topic.awaitTiered(0);
            assertThat(ledger.verify().records()).isEqualTo(600);

            old.storage().release(StoragePoint.AFTER_COPY);
            TwoBrokers.eventually(
                    "the old leader's late copy to be settled",
                    () -> assertThat(brokers.ids(topic, SegmentState.COPY_SEGMENT_STARTED))
                            .doesNotContainAnyElementsOf(halfCopied));

            assertThat(ledger.write(300).verify().records()).isEqualTo(900);
            assertThat(topic.awaitTiered(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(900);
            brokers.assertCatalogueMatchesRemoteTier(topic);

            topic.lead(0, 1, List.of(1, 2));
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(900);
        } finally {
            old.storage().release(StoragePoint.AFTER_COPY);
        }
    }

    @Test
    void brokerDiesBetweenCopyStartedAndCopyFinished(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("loses-leader", 1, 2));
        Broker victim = brokers.broker(1);
        try (Ledger ledger = new Ledger(topic, 0)) {
            victim.storage().pauseAt(StoragePoint.AFTER_COPY);
            ledger.write(600);
            TwoBrokers.eventually(
                    "the leader to be copying",
                    () -> assertThat(victim.storage().reached(StoragePoint.AFTER_COPY))
                            .isTrue());
            Set<String> dangling = brokers.ids(topic, SegmentState.COPY_SEGMENT_STARTED);
            assertThat(dangling).hasSize(1);
            victim.kill();
            victim.storage().release(StoragePoint.AFTER_COPY);

            topic.awaitLeader(0, leader -> leader.id() == 2);
            topic.awaitTiered(0);
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(600);
            assertThat(brokers.ids(topic, SegmentState.COPY_SEGMENT_STARTED)).isEqualTo(dangling);
            assertThat(topic.remoteSegments(0)).containsAll(dangling);

            victim.start();
            brokers.cluster().awaitUp(victim);
            topic.awaitInSync(0, Set.of(1, 2));
            topic.lead(0, 1, List.of(1, 2));
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(600);
            brokers.assertCatalogueMatchesRemoteTier(topic);

            topic.configure("retention.ms", "1");
            brokers.awaitAllDeleted(topic);
        } finally {
            if (!victim.alive()) {
                victim.start();
                brokers.cluster().awaitUp(victim);
            }
        }
    }

    @Test
    void newReplicaBuildsItsStateFromTheRemoteTier(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("moves", 1));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(800);
            TierOffsets before = topic.awaitTiered(0);
            assertThat(before.hasRemoteOnly()).isTrue();

            topic.moveTo(0, List.of(2));
            topic.awaitLeader(0, leader -> leader.id() == 2);
            assertThat(LocalLog.of(brokers.broker(2), topic.partition(0)).baseOffsets())
                    .allSatisfy(offset -> assertThat(offset).isGreaterThanOrEqualTo(before.localStart()));
            assertThat(topic.offsets(0).start()).isZero();
            assertThat(ledger.verify().records()).isEqualTo(800);

            ledger.write(400);
            assertThat(topic.awaitTiered(0).latestTiered()).isGreaterThan(before.latestTiered());
            assertThat(ledger.verify().records()).isEqualTo(1200);
            brokers.assertCatalogueMatchesRemoteTier(topic);
        }
    }
}
