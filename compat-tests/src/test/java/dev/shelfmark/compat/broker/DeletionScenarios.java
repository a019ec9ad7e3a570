package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.SegmentState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is deleted leaves the remote tier and the catalogue, and nothing else does. */
abstract class DeletionScenarios {

    private static final int HUNDREDS = 300;
    private static final Duration QUICK = Duration.ofSeconds(30);

    @Test
    void deletedTopicLeavesNothingBehind(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("deleted", 1, 2));
        TieredTopic bystander = brokers.create(TopicSpec.named("bystander", 1, 2));
        try (Ledger ledger = new Ledger(topic, 0);
                Ledger kept = new Ledger(bystander, 0)) {
            kept.write(200);
            while (topic.remoteSegments(0).size() < HUNDREDS) {
                ledger.write(2500);
                topic.awaitTiered(0);
            }
            bystander.awaitTiered(0);
            int segments = brokers.records(topic).size();

            Instant begun = Instant.now();
            topic.delete();
            brokers.awaitAllDeleted(topic);

            assertThat(Duration.between(begun, Instant.now())).isLessThan(QUICK);
            assertThat(brokers.records(topic)).hasSize(segments);
            assertThat(kept.verify().records()).isEqualTo(200);
        }
    }

    @Test
    void retentionBySizeDeletesTheOldest(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("limited-size", 1, 2));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(1000);
            topic.awaitTiered(0);
            int before = topic.remoteSegments(0).size();

            topic.configure("retention.bytes", Integer.toString(10 * TopicSpec.SEGMENT_BYTES));
            TierOffsets after = topic.await(0, "shortened", now -> now.start() > 0);
            TwoBrokers.eventually(
                    "the remote tier to shrink",
                    () -> assertThat(topic.remoteSegments(0)).hasSizeBetween(8, 12));

            assertThat(before).isGreaterThan(12);
            assertThat(ledger.verify(topic.offsets(0).start(), "read_uncommitted")
                            .records())
                    .isEqualTo((int) (after.end() - topic.offsets(0).start()));
            TwoBrokers.eventually(
                    "the catalogue to follow",
                    () -> assertThat(brokers.ids(topic, SegmentState.DELETE_SEGMENT_FINISHED))
                            .hasSize(before - topic.remoteSegments(0).size()));
            brokers.assertCatalogueMatchesRemoteTier(topic);
        }
    }

    @Test
    void retentionByTimeDeletesTheOldest(TwoBrokers brokers) {
        TieredTopic topic = brokers.create(TopicSpec.named("limited-time", 1, 2));
        long now = System.currentTimeMillis();
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(500, now - Duration.ofHours(3).toMillis());
            ledger.write(500, now);
            topic.awaitTiered(0);

            topic.configure("retention.ms", Long.toString(Duration.ofHours(2).toMillis()));
            topic.await(0, "shortened", offsets -> offsets.start() > 0);
            TwoBrokers.eventually("the old half to be gone", () -> {
                long oldestKept = brokers.records(topic).stream()
                        .filter(record -> record.state() == SegmentState.COPY_SEGMENT_FINISHED)
                        .mapToLong(record -> record.maxTimestampMs())
                        .min()
                        .orElseThrow();
                assertThat(oldestKept).isEqualTo(now);
                assertThat(brokers.ids(topic, SegmentState.DELETE_SEGMENT_STARTED))
                        .isEmpty();
            });

            long start = topic.offsets(0).start();
            assertThat(start).isBetween(400L, 500L);
            assertThat(ledger.verify(start, "read_uncommitted").records()).isEqualTo((int) (1000 - start));
            brokers.assertCatalogueMatchesRemoteTier(topic);
        }
    }
}
