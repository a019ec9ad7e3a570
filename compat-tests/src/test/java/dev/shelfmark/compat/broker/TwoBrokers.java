package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Two brokers and a controller with a catalogue, shared by the tests that leave them as they found them: each has
 * topics of its own, and starts again what it killed.
 */
final class TwoBrokers implements AutoCloseable {

    private static final Duration SETTLED = Duration.ofSeconds(60);

    private final CatalogueServer catalogue;
    private final TestCluster cluster;

    private TwoBrokers(CatalogueServer catalogue, TestCluster cluster) {
        this.catalogue = catalogue;
        this.cluster = cluster;
    }

    static TwoBrokers start(Supplier<CatalogueServer> store) {
        CatalogueServer catalogue = store.get();
        try {
            TestCluster.Builder builder = TestCluster.builder().brokers(2).catalogue(catalogue.brokerProperties());
            TestCluster cluster = builder.startAfter(catalogue::register);

            return new TwoBrokers(catalogue, cluster);
        } catch (RuntimeException e) {
            catalogue.close();
            throw e;
        }
    }

    TestCluster cluster() {
        return cluster;
    }

    Broker broker(int id) {
        return cluster.broker(id);
    }

    TieredTopic create(TopicSpec spec) {
        return cluster.create(spec);
    }

    /** Every record that the catalogue has of a partition, those of deleted segments included. */
    List<SegmentRecord> records(TieredTopic topic) {
        return catalogue.records(cluster.clusterId(), topic.id(), 0);
    }

    Set<String> ids(TieredTopic topic, SegmentState state) {
        return records(topic).stream()
                .filter(record -> record.state() == state)
                .map(record -> TextualId.of(record.segmentId()))
                .collect(Collectors.toSet());
    }

    /** What must hold whenever nothing is under way: no object is forgotten, no readable segment lacks its object. */
    void assertCatalogueMatchesRemoteTier(TieredTopic topic) {
        Set<String> live = records(topic).stream()
                .filter(record -> record.state().live())
                .map(record -> TextualId.of(record.segmentId()))
                .collect(Collectors.toSet());
        assertThat(live).as("objects of %s that the catalogue knows", topic).containsAll(topic.remoteSegments(0));
        assertThat(topic.remoteSegments(0))
                .as("objects of %s", topic)
                .containsAll(ids(topic, SegmentState.COPY_SEGMENT_FINISHED));
    }

    /** Waits until the last trace of a partition in the remote tier is a record of its deletion. */
    void awaitAllDeleted(TieredTopic topic) {
        eventually("every remote segment of " + topic + " to be deleted", () -> {
            assertThat(topic.remoteSegments(0)).isEmpty();
            assertThat(records(topic))
                    .isNotEmpty()
                    .allSatisfy(record -> assertThat(record.state()).isEqualTo(SegmentState.DELETE_SEGMENT_FINISHED));
        });
    }

    static void eventually(String what, ThrowingRunnable assertion) {
        Awaitility.await(what)
                .atMost(SETTLED)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(assertion);
    }

    @Override
    public void close() {
        cluster.close();
        catalogue.close();
    }
}
