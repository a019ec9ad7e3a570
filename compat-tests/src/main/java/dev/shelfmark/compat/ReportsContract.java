package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What brokers report is kept, in full and in order, and seen by every other broker at once. */
@DisplayName("Reports: what a broker reports is kept in full and in order, and seen by every other broker at once")
public abstract class ReportsContract extends PluginContract {

    private static final RemoteLogSegmentState FINISHED = RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
    private static final RemoteLogSegmentState DELETING = RemoteLogSegmentState.DELETE_SEGMENT_STARTED;
    private static final RemoteLogSegmentState DELETED = RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;

    protected ReportsContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    @Test
    @DisplayName(
            "Every field comes back, on another broker too: custom metadata replaced and cleared, empty epochs, no transaction index")
    void fields() throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager writer = broker(cluster, 1, Map.of());
        CatalogueRemoteLogMetadataManager reader = broker(cluster, 2, Map.of());
        TopicIdPartition partition = Uploads.newPartition();
        RemoteLogSegmentMetadata expected = new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, Uuid.randomUuid()),
                100,
                299,
                -1,
                7,
                1_700_000_000_123L,
                Integer.MAX_VALUE,
                Optional.of(new CustomMetadata(new byte[] {0, -1, 127})),
                RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                Map.of(2, 100L, 3, 100L, 5, 250L, 9, 300L),
                true);
        Uploads.done(writer.addRemoteLogSegmentMetadata(expected));
        assertListed(reader, partition, expected);
        List<Optional<CustomMetadata>> customs = List.of(
                Optional.of(new CustomMetadata(new byte[128])),
                Optional.of(new CustomMetadata(new byte[0])),
                Optional.empty(),
                Optional.of(new CustomMetadata("schlüssel".getBytes(StandardCharsets.UTF_8))));
        for (RemoteLogSegmentState state : List.of(FINISHED, DELETING)) {
            for (Optional<CustomMetadata> custom : customs) {
                RemoteLogSegmentMetadataUpdate update = Uploads.update(expected, state, custom);
                Uploads.done(writer.updateRemoteLogSegmentMetadata(update));
                expected = expected.createWithUpdates(update);
                assertListed(writer, partition, expected);
                assertListed(reader, partition, expected);
            }
        }
    }

    private static void assertListed(
            RemoteLogMetadataManager manager, TopicIdPartition partition, RemoteLogSegmentMetadata expected)
            throws Exception {
        assertThat(Uploads.toList(manager.listRemoteLogSegments(partition))).containsExactly(expected);
        for (int epoch : expected.segmentLeaderEpochs().keySet()) {
            assertThat(Uploads.toList(manager.listRemoteLogSegments(partition, epoch)))
                    .containsExactly(expected);
        }
        Optional<RemoteLogSegmentMetadata> found = manager.remoteLogSegmentMetadata(partition, 5, 299);
        assertThat(found).isEqualTo(expected.state() == FINISHED ? Optional.of(expected) : Optional.empty());
    }

    @Test
    @DisplayName("A topic that was deleted and created again under its old name is another topic")
    void topicCreatedAgain() throws Exception {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        TopicIdPartition old = new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
        TopicIdPartition recreated = new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
        RemoteLogSegmentMetadata first = Uploads.copy(manager, Uploads.started(old, 0, 99));
        assertThat(Uploads.toList(manager.listRemoteLogSegments(recreated))).isEmpty();
        assertThat(manager.highestOffsetForEpoch(recreated, 0)).isEmpty();
        RemoteLogSegmentMetadata second = Uploads.copy(manager, Uploads.started(recreated, 0, 9));
        assertThat(Uploads.toList(manager.listRemoteLogSegments(old))).containsExactly(first);
        assertThat(Uploads.toList(manager.listRemoteLogSegments(recreated))).containsExactly(second);
    }

    @Test
    @DisplayName("The topic's name is information only: under another name the same id has the same segments")
    void topicRenamed() throws Exception {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        TopicIdPartition before = new TopicIdPartition(Uuid.randomUuid(), 3, "before");
        TopicIdPartition after = new TopicIdPartition(before.topicId(), 3, "after.änderung");
        RemoteLogSegmentMetadata segment = Uploads.copy(manager, Uploads.started(before, 0, 99));
        RemoteLogSegmentMetadata found =
                manager.remoteLogSegmentMetadata(after, 0, 50).orElseThrow();
        assertThat(found.remoteLogSegmentId().id())
                .isEqualTo(segment.remoteLogSegmentId().id());
        assertThat(found.topicIdPartition()).isEqualTo(after);
        Uploads.copy(manager, Uploads.started(after, 100, 199));
        assertThat(Uploads.toList(manager.listRemoteLogSegments(before))).hasSize(2);
    }

    @Test
    @DisplayName("Reports of one partition are applied in the order in which they were made, without waiting for each")
    void order() throws Exception {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        TopicIdPartition partition = Uploads.newPartition();
        List<CompletableFuture<Void>> reports = new ArrayList<>();
        Set<RemoteLogSegmentMetadata> kept = new HashSet<>();
        for (int i = 0; i < 150; i++) {
            RemoteLogSegmentMetadata segment = Uploads.started(partition, i * 10L, i * 10L + 9);
            reports.add(manager.addRemoteLogSegmentMetadata(segment));
            RemoteLogSegmentMetadataUpdate finished = Uploads.update(segment, FINISHED);
            reports.add(manager.updateRemoteLogSegmentMetadata(finished));
            if (i % 3 == 0) {
                reports.add(manager.updateRemoteLogSegmentMetadata(Uploads.update(segment, DELETING)));
                reports.add(manager.updateRemoteLogSegmentMetadata(Uploads.update(segment, DELETED)));
            } else {
                kept.add(segment.createWithUpdates(finished));
            }
        }
        Uploads.done(CompletableFuture.allOf(reports.toArray(new CompletableFuture<?>[0])));
        assertThat(Uploads.toList(manager.listRemoteLogSegments(partition)))
                .hasSameSizeAs(kept)
                .containsAll(kept)
                .isSortedAccordingTo(Comparator.comparingLong(RemoteLogSegmentMetadata::startOffset));
    }

    @Test
    @DisplayName(
            "What one broker has committed is seen by another at once, led or followed, cached or not, before any callback too")
    void seenAtOnce() throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager leader = broker(cluster, 1, Map.of());
        CatalogueRemoteLogMetadataManager follower = broker(cluster, 2, Map.of());
        TopicIdPartition partition = Uploads.newPartition();
        leader.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        for (int i = 0; i < 20; i++) {
            if (i == 5) {
                follower.onPartitionLeadershipChanges(Set.of(), Set.of(partition));
            }
            RemoteLogSegmentMetadata copied = Uploads.copy(leader, Uploads.started(partition, i * 10L, i * 10L + 9));
            for (RemoteLogMetadataManager manager : List.of(leader, follower)) {
                assertThat(manager.remoteLogSegmentMetadata(partition, 0, i * 10L + 5))
                        .contains(copied);
                assertThat(manager.highestOffsetForEpoch(partition, 0)).contains(i * 10L + 9);
                assertThat(Uploads.toList(manager.listRemoteLogSegments(partition)))
                        .hasSize(i + 1);
                assertThat(manager.nextSegmentWithTxnIndex(partition, 0, i * 10L))
                        .contains(copied);
            }
            if (i % 7 == 6) {
                CatalogueRemoteLogMetadataManager next = follower;
                follower = leader;
                leader = next;
                // The new leader is told; the old one may not be for a while, but does not write any more.
                leader.onPartitionLeadershipChanges(Set.of(partition), Set.of());
                follower.onPartitionLeadershipChanges(Set.of(), Set.of(partition));
            }
        }
    }

    @Test
    @DisplayName("Two brokers that report on one partition at once lose nothing")
    void twoBrokersAtOnce() throws Exception {
        String cluster = newCluster();
        TopicIdPartition partition = Uploads.newPartition();
        List<Callable<List<RemoteLogSegmentMetadata>>> tasks = new ArrayList<>();
        List<CatalogueRemoteLogMetadataManager> brokers =
                List.of(broker(cluster, 1, Map.of()), broker(cluster, 2, Map.of()));
        for (CatalogueRemoteLogMetadataManager manager : brokers) {
            manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
            for (int thread = 0; thread < 3; thread++) {
                long base = tasks.size() * 1_000L;
                tasks.add(() -> {
                    List<RemoteLogSegmentMetadata> copied = new ArrayList<>();
                    for (int i = 0; i < 10; i++) {
                        copied.add(Uploads.copy(manager, Uploads.started(partition, base + i, base + i)));
                    }
                    return copied;
                });
            }
        }
        Set<RemoteLogSegmentMetadata> expected = new HashSet<>();
        Together.run(tasks).forEach(expected::addAll);
        brokers.forEach(manager -> manager.onPartitionLeadershipChanges(Set.of(partition), Set.of()));
        for (CatalogueRemoteLogMetadataManager manager : brokers) {
            assertThat(Set.copyOf(Uploads.toList(manager.listRemoteLogSegments(partition))))
                    .isEqualTo(expected);
        }
    }

    @Test
    @DisplayName(
            "A deletion of the whole partition: reads go on until it is finished, then it is not found; no step may be skipped")
    void partitionDeletion() throws Exception {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        TopicIdPartition partition = Uploads.newPartition();
        RemoteLogSegmentMetadata segment = Uploads.copy(manager, Uploads.started(partition, 0, 9));
        assertThatThrownBy(() ->
                        Uploads.done(delete(manager, partition, RemotePartitionDeleteState.DELETE_PARTITION_FINISHED)))
                .hasCauseInstanceOf(RemoteStorageException.class);
        for (RemotePartitionDeleteState state : List.of(
                RemotePartitionDeleteState.DELETE_PARTITION_MARKED,
                RemotePartitionDeleteState.DELETE_PARTITION_STARTED)) {
            Uploads.done(delete(manager, partition, state));
            Uploads.done(delete(manager, partition, state));
            assertThat(manager.remoteLogSegmentMetadata(partition, 0, 5)).contains(segment);
        }
        Uploads.done(delete(manager, partition, RemotePartitionDeleteState.DELETE_PARTITION_FINISHED));
        for (Callable<Object> read : everyRead(manager, partition).values()) {
            assertThatThrownBy(read::call).isInstanceOf(RemoteResourceNotFoundException.class);
        }
    }

    private static CompletableFuture<Void> delete(
            RemoteLogMetadataManager manager, TopicIdPartition partition, RemotePartitionDeleteState state)
            throws RemoteStorageException {
        return manager.putRemotePartitionDeleteMetadata(new RemotePartitionDeleteMetadata(partition, state, 1, 1));
    }

    @Test
    @DisplayName("Reports that can't be meant are refused at once: an add that is not a start, an update to a start")
    void impossibleReports() {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        RemoteLogSegmentMetadata segment = Uploads.started(Uploads.newPartition(), 0, 9);
        RemoteLogSegmentMetadata finished = segment.createWithUpdates(Uploads.update(segment, FINISHED));
        assertThatThrownBy(() -> manager.addRemoteLogSegmentMetadata(finished))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> manager.updateRemoteLogSegmentMetadata(
                        Uploads.update(segment, RemoteLogSegmentState.COPY_SEGMENT_STARTED)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName(
            "An iterator is whole: it goes on over what was there, whatever happens meanwhile, even when the plugin is closed")
    void iterators() throws Exception {
        CatalogueRemoteLogMetadataManager manager = broker(newCluster());
        TopicIdPartition partition = Uploads.newPartition();
        RemoteLogSegmentMetadata first = Uploads.copy(manager, Uploads.started(partition, 0, 9));
        RemoteLogSegmentMetadata second = Uploads.copy(manager, Uploads.started(partition, 10, 19));
        Iterator<RemoteLogSegmentMetadata> segments = manager.listRemoteLogSegments(partition);
        assertThat(segments.next()).isEqualTo(first);
        Uploads.done(manager.updateRemoteLogSegmentMetadata(Uploads.update(second, DELETING)));
        manager.close();
        assertThat(segments.next()).isEqualTo(second);
        assertThat(segments.hasNext()).isFalse();
    }

    @Test
    @DisplayName("The deletion of a topic with hundreds of segments is a handful of requests, and its futures all end")
    void topicDeletion() throws Exception {
        CountingListener counted = new CountingListener();
        CatalogueRemoteLogMetadataManager manager = counted(counted, newCluster(), Map.of());
        TopicIdPartition partition = Uploads.newPartition();
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        List<RemoteLogSegmentMetadata> segments = new ArrayList<>();
        List<CompletableFuture<Void>> reports = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            RemoteLogSegmentMetadata segment = Uploads.started(partition, i, i);
            segments.add(segment);
            reports.add(manager.addRemoteLogSegmentMetadata(segment));
        }
        Uploads.done(CompletableFuture.allOf(reports.toArray(new CompletableFuture<?>[0])));
        CountingListener.Cost cost = counted.costOf(() -> {
            for (RemoteLogSegmentState state : List.of(DELETING, DELETED)) {
                CompletableFuture<?>[] updates = segments.stream()
                        .map(segment -> report(manager, segment, state))
                        .toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(updates).get(60, TimeUnit.SECONDS);
            }
        });
        assertThat(Uploads.toList(manager.listRemoteLogSegments(partition))).isEmpty();
        // 600 reports; how many fit into one commit is the store's to say.
        int commits = 2 * (300 / store().maxSegmentsPerCommit() + 1);
        assertThat(cost.requests()).isLessThan(20L + 8L * commits);
    }

    private static CompletableFuture<Void> report(
            CatalogueRemoteLogMetadataManager manager, RemoteLogSegmentMetadata segment, RemoteLogSegmentState state) {
        return manager.updateRemoteLogSegmentMetadata(Uploads.update(segment, state));
    }
}
