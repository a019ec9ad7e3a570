package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A broker whose store is away, slow, or loses answers. */
@DisplayName("Outages: bounded in every direction, never an empty answer, never a lost report")
public abstract class OutageContract extends PluginContract {

    private static final Duration SLACK = Duration.ofSeconds(3);

    protected OutageContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    /** A ready plugin and what disturbs its store. */
    private record Disturbed(CatalogueRemoteLogMetadataManager manager, Faults faults, String cluster) {}

    private Disturbed disturbed(Map<String, String> settings) {
        String cluster = newCluster();
        FaultyStore faulty = openFaulty(StoreListener.NONE);
        CatalogueRemoteLogMetadataManager manager = start((retention, listener) -> faulty.store(), cluster, settings);
        PluginBroker.awaitReady(manager);
        return new Disturbed(manager, faulty.faults(), cluster);
    }

    @Test
    @DisplayName("A leader answers from memory for the configured time, and not longer; then it throws what is retried")
    void leaderAnswersForABoundedTime() throws Exception {
        Duration limit = Duration.ofSeconds(4);
        Disturbed broker = disturbed(Map.of(
                "cache.outage.max.staleness.ms",
                Long.toString(limit.toMillis()),
                "cache.leader.max.staleness.ms",
                "100"));
        TopicIdPartition led = Uploads.newPartition();
        broker.manager().onPartitionLeadershipChanges(Set.of(led), Set.of());
        Uploads.copy(broker.manager(), Uploads.started(led, 0, 9));
        Map<String, Callable<Object>> reads = everyRead(broker.manager(), led);
        Map<String, Object> right = new LinkedHashMap<>();
        for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
            // The list loads the partition; what is asked before it may come from the store alone.
            right.put(read.getKey(), read.getValue().call());
        }
        long since = System.nanoTime();
        broker.faults().refuse();
        int answers = 0;
        while (Duration.ofNanos(System.nanoTime() - since).compareTo(limit.dividedBy(2)) < 0) {
            for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
                assertThat(read.getValue().call()).as(read.getKey()).isEqualTo(right.get(read.getKey()));
                answers++;
            }
        }
        assertThat(answers).isPositive();
        Awaitility.await()
                .atMost(limit.plus(SLACK))
                .until(() -> throwsRetriable(() -> broker.manager().remoteLogSegmentMetadata(led, 0, 5)));
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(limit.dividedBy(2));
        for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
            assertThatThrownBy(read.getValue()::call).as(read.getKey()).isInstanceOf(RetriableException.class);
        }
        broker.faults().heal();
        Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().untilAsserted(() -> {
            for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
                assertThat(read.getValue().call()).as(read.getKey()).isEqualTo(right.get(read.getKey()));
            }
        });
    }

    private static boolean throwsRetriable(Callable<Object> read) throws Exception {
        try {
            read.call();
            return false;
        } catch (RetriableException e) {
            return true;
        }
    }

    @Test
    @DisplayName(
            "Who does not lead a partition answers nothing that it can't vouch for: it throws what is retried, at once or in bounded time")
    void followerThrows() throws Exception {
        Disturbed broker = disturbed(Map.of());
        TopicIdPartition followed = Uploads.newPartition();
        broker.manager().onPartitionLeadershipChanges(Set.of(), Set.of(followed));
        Uploads.copy(broker.manager(), Uploads.started(followed, 0, 9));
        for (Callable<Object> read : everyRead(broker.manager(), followed).values()) {
            read.call();
        }
        for (Runnable fault : List.<Runnable>of(broker.faults()::refuse, broker.faults()::blackHole)) {
            fault.run();
            for (Map.Entry<String, Callable<Object>> read :
                    everyRead(broker.manager(), followed).entrySet()) {
                long start = System.nanoTime();
                assertThatThrownBy(read.getValue()::call).as(read.getKey()).isInstanceOf(RetriableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(harness().callLimit().multipliedBy(2).plus(SLACK));
            }
        }
    }

    @Test
    @DisplayName(
            "Every future ends in its time when the store hangs, failed as Kafka expects it, and callbacks never block")
    void storeHangs() throws Exception {
        Disturbed broker = disturbed(Map.of("write.timeout.ms", "1000", "close.timeout.ms", "500"));
        broker.faults().blackHole();
        long start = System.nanoTime();
        List<CompletableFuture<Void>> reports = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            reports.add(broker.manager().addRemoteLogSegmentMetadata(Uploads.started(Uploads.newPartition(), 0, 9)));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("reporting").isLessThan(Duration.ofSeconds(1));
        for (CompletableFuture<Void> report : reports) {
            assertThatThrownBy(() -> report.get(SLACK.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS))
                    .hasCauseInstanceOf(RemoteStorageException.class);
        }
        Set<TopicIdPartition> many = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(new TopicIdPartition(Uuid.randomUuid(), i, "t"));
        }
        start = System.nanoTime();
        broker.manager().onPartitionLeadershipChanges(many, Set.of());
        broker.manager().onPartitionLeadershipChanges(Set.of(), many);
        broker.manager().onStopPartitions(many);
        assertThat(broker.manager().isReady(many.iterator().next())).isIn(true, false);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("callbacks").isLessThan(Duration.ofSeconds(1));
        start = System.nanoTime();
        broker.manager().close();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("close")
                .isLessThan(harness().callLimit().plusMillis(500).plus(SLACK));
    }

    @Test
    @DisplayName("close with reports under way: each future ends, done or failed")
    void closeWithReportsUnderWay() throws Exception {
        Disturbed broker = disturbed(Map.of("close.timeout.ms", "200"));
        broker.faults().delay(Duration.ofMillis(50));
        TopicIdPartition partition = Uploads.newPartition();
        List<CompletableFuture<Void>> reports = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            reports.add(broker.manager()
                    .addRemoteLogSegmentMetadata(
                            Uploads.started(i % 2 == 0 ? partition : Uploads.newPartition(), i, i)));
        }
        broker.manager().close();
        for (CompletableFuture<Void> report : reports) {
            assertThat(report.handle((done, failure) -> true).get(5, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("An answer that is lost costs nothing: the report is found done or repeated, never applied twice")
    void lostAnswers() throws Exception {
        Disturbed broker = disturbed(Map.of());
        TopicIdPartition partition = Uploads.newPartition();
        Set<RemoteLogSegmentMetadata> expected = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            RemoteLogSegmentMetadata segment = Uploads.started(partition, i * 10L, i * 10L + 9);
            if (i % 2 == 0) {
                broker.faults().swallowAnswer(1 + i / 4);
            } else {
                broker.faults().cutBeforeRequest(1 + i / 4);
            }
            expected.add(Uploads.copy(broker.manager(), segment));
            broker.faults().heal();
        }
        CatalogueRemoteLogMetadataManager other = broker(broker.cluster(), 2, Map.of());
        assertThat(Set.copyOf(Uploads.toList(other.listRemoteLogSegments(partition))))
                .isEqualTo(expected);
        assertThat(other.highestOffsetForEpoch(partition, 0)).contains(119L);
    }

    @Test
    @DisplayName("A report that was given up is told to have failed, and may be made again")
    void repeatedAfterFailure() throws Exception {
        Disturbed broker = disturbed(Map.of("write.timeout.ms", "300"));
        TopicIdPartition partition = Uploads.newPartition();
        RemoteLogSegmentMetadata segment = Uploads.started(partition, 0, 9);
        Uploads.done(broker.manager().addRemoteLogSegmentMetadata(segment));
        broker.faults().refuse();
        assertThatThrownBy(() -> Uploads.done(broker.manager()
                        .updateRemoteLogSegmentMetadata(
                                Uploads.update(segment, RemoteLogSegmentState.COPY_SEGMENT_FINISHED))))
                .hasCauseInstanceOf(RemoteStorageException.class);
        broker.faults().heal();
        Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
            Uploads.done(broker.manager()
                    .updateRemoteLogSegmentMetadata(
                            Uploads.update(segment, RemoteLogSegmentState.COPY_SEGMENT_FINISHED)));
            return true;
        });
        assertThat(broker.manager().highestOffsetForEpoch(partition, 0)).contains(9L);
    }
}
