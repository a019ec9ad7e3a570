package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * KIP-1023: with {@code follower.fetch.last.tiered.offset.enable} a new replica begins at the last tiered segment, although the leader has
 * older ones on its disk. It asks its own plugin for a segment that the leader finished a moment ago.
 */
@Tag("broker")
final class LastTieredOffsetBrokerTest {

    private static final int TIMES = 3;
    private static final int SOME = 400;

    @Test
    void aNewReplicaBeginsAtTheLastTieredSegment() {
        SkippedBackEnds.abortIfNamed("postgres");
        try (JdbcCatalogue catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        .brokers(2)
                        .catalogue(catalogue.brokerProperties())
                        .brokerConfig("follower.fetch.last.tiered.offset.enable", "true")
                        .startAfter(catalogue::register)) {
            // Everything stays on the leader's disk, so only the setting makes a replica begin later.
            TieredTopic topic = cluster.create(TopicSpec.named("late", 1).with("local.retention.bytes", "-2"));
            try (Ledger ledger = new Ledger(topic, 0)) {
                for (int time = 0; time < TIMES; time++) {
                    long before = topic.offsets(0).latestTiered();
                    ledger.write(SOME);
                    long tiered = topic.await(0, "tiered", now -> now.latestTiered() >= before + SOME / 2)
                            .latestTiered();
                    topic.moveTo(0, List.of(1, 2));
                    List<Long> local =
                            LocalLog.of(cluster.broker(2), topic.partition(0)).baseOffsets();
                    assertThat(Collections.min(local))
                            .as("the new replica's first local offset; up to %d was tiered", tiered)
                            .isGreaterThan(before + SOME / 4);
                    assertThat(LocalLog.of(cluster.broker(1), topic.partition(0))
                                    .baseOffsets())
                            .contains(0L);
                    assertThat(ledger.verify().records()).isEqualTo(ledger.size());

                    topic.lead(0, 2, List.of(2, 1));
                    assertThat(topic.offsets(0).start()).isZero();
                    assertThat(ledger.verify().records()).isEqualTo(ledger.size());
                    topic.lead(0, 1, List.of(1, 2));
                    topic.moveTo(0, List.of(1));
                }
            } catch (RuntimeException | AssertionError e) {
                cluster.printLogs(System.err);
                throw e;
            }
        }
    }
}
