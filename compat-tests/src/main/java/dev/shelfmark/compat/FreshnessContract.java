package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What answers cost, counted in requests to the store and in rows. */
@DisplayName("Freshness: what is known is not asked again, and what may have changed is")
public abstract class FreshnessContract extends PluginContract {

    private static final CountingListener.Cost NOTHING = new CountingListener.Cost(0, 0);
    private static final Map<String, String> PATIENT = Map.of("cache.leader.max.staleness.ms", "60000");
    private static final Map<String, String> STRICT = Map.of("cache.leader.max.staleness.ms", "0");

    protected FreshnessContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private static void fill(CatalogueRemoteLogMetadataManager manager, TopicIdPartition partition, int segments)
            throws Exception {
        for (int i = 0; i < segments; i++) {
            Uploads.copy(manager, Uploads.started(partition, i * 10L, i * 10L + 9));
        }
    }

    private static void askEverything(CatalogueRemoteLogMetadataManager manager, TopicIdPartition partition)
            throws Exception {
        for (Callable<Object> read : everyRead(manager, partition).values()) {
            read.call();
        }
    }

    @Test
    @DisplayName(
            "No request on lookups, lists and highest offsets of a led partition within the freshness that the setting allows")
    void ledPartition() throws Exception {
        CountingListener counted = new CountingListener();
        CatalogueRemoteLogMetadataManager manager = counted(counted, newCluster(), PATIENT);
        TopicIdPartition partition = Uploads.newPartition();
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        Uploads.toList(manager.listRemoteLogSegments(partition));
        fill(manager, partition, 10);
        assertThat(counted.costOf(() -> {
                    for (int i = 0; i < 200; i++) {
                        askEverything(manager, partition);
                    }
                }))
                .isEqualTo(NOTHING);
        assertThat(Uploads.toList(manager.listRemoteLogSegments(partition))).hasSize(10);
    }

    @Test
    @DisplayName("With no staleness allowed each answer is one look at the version, and no row of a segment")
    void strictLeader() throws Exception {
        CountingListener counted = new CountingListener();
        CatalogueRemoteLogMetadataManager manager = counted(counted, newCluster(), STRICT);
        TopicIdPartition partition = Uploads.newPartition();
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        fill(manager, partition, 20);
        Uploads.toList(manager.listRemoteLogSegments(partition));
        int reads = everyRead(manager, partition).size();
        CountingListener.Cost cost = counted.costOf(() -> askEverything(manager, partition));
        assertThat(cost.requests()).isBetween(1L, (long) reads);
        assertThat(cost.rows()).isLessThanOrEqualTo(reads);
    }

    @Test
    @DisplayName("A partition is loaded once, however many ask for it at the same time")
    void oneLoad() throws Exception {
        String cluster = newCluster();
        TopicIdPartition partition = Uploads.newPartition();
        int segments = 60;
        fill(broker(cluster), partition, segments);
        CountingListener counted = new CountingListener();
        CatalogueRemoteLogMetadataManager manager = counted(counted, cluster, PATIENT);
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        CountingListener.Cost cost = counted.costOf(() -> Together.run(50, () -> {
            assertThat(Uploads.toList(manager.listRemoteLogSegments(partition))).hasSize(segments);
            return 0;
        }));
        assertThat(cost.rows()).isBetween((long) segments, segments + 10L);
        assertThat(cost.requests()).isLessThanOrEqualTo(4);
    }

    @Test
    @DisplayName(
            "A retention pass over a hundred led partitions costs nothing while they are fresh, and no row of a segment when they are not")
    void retentionPass() throws Exception {
        String cluster = newCluster();
        CountingListener counted = new CountingListener();
        CatalogueRemoteLogMetadataManager patient = counted(counted, cluster, PATIENT);
        CountingListener countedToo = new CountingListener();
        CatalogueRemoteLogMetadataManager strict = counted(countedToo, cluster, STRICT);
        List<TopicIdPartition> led = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), i, "orders");
            led.add(partition);
            fill(patient, partition, 3);
        }
        for (CatalogueRemoteLogMetadataManager manager : List.of(patient, strict)) {
            manager.onPartitionLeadershipChanges(Set.copyOf(led), Set.of());
            pass(manager, led);
        }
        assertThat(counted.costOf(() -> pass(patient, led))).isEqualTo(NOTHING);
        CountingListener.Cost cost = countedToo.costOf(() -> pass(strict, led));
        assertThat(cost.requests()).isLessThanOrEqualTo(3L * led.size());
        assertThat(cost.rows()).isLessThanOrEqualTo(3L * led.size());
    }

    /** What RemoteLogManager asks of each leader partition every 30 seconds. */
    private static void pass(CatalogueRemoteLogMetadataManager manager, List<TopicIdPartition> led) throws Exception {
        for (TopicIdPartition partition : led) {
            assertThat(manager.isReady(partition)).isTrue();
            assertThat(Uploads.toList(manager.listRemoteLogSegments(partition))).hasSize(3);
            assertThat(Uploads.toList(manager.listRemoteLogSegments(partition, 0)))
                    .hasSize(3);
            assertThat(manager.highestOffsetForEpoch(partition, 0)).contains(29L);
        }
    }

    @Test
    @DisplayName(
            "A leader that has lost its leadership without noticing sees what the new one did within the staleness allowed")
    void zombieNotices() throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager zombie = broker(cluster, 1, Map.of("cache.leader.max.staleness.ms", "400"));
        CatalogueRemoteLogMetadataManager leader = broker(cluster, 2, Map.of());
        TopicIdPartition partition = Uploads.newPartition();
        zombie.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        fill(zombie, partition, 2);
        assertThat(Uploads.toList(zombie.listRemoteLogSegments(partition))).hasSize(2);
        leader.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        RemoteLogSegmentMetadata copied = Uploads.copy(leader, Uploads.started(partition, 20, 29));
        long committed = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> zombie.remoteLogSegmentMetadata(partition, 0, 25).isPresent());
        assertThat(Duration.ofNanos(System.nanoTime() - committed)).isLessThan(Duration.ofSeconds(3));
        assertThat(zombie.remoteLogSegmentMetadata(partition, 0, 25)).contains(copied);
    }

    @Test
    @DisplayName("A zombie's own report is decided on what the new leader did, and shows it the rest at once")
    void zombieReports() throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager zombie = broker(cluster, 1, PATIENT);
        CatalogueRemoteLogMetadataManager leader = broker(cluster, 2, PATIENT);
        TopicIdPartition partition = Uploads.newPartition();
        zombie.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        RemoteLogSegmentMetadata started = Uploads.started(partition, 0, 9);
        Uploads.done(zombie.addRemoteLogSegmentMetadata(started));
        assertThat(Uploads.toList(zombie.listRemoteLogSegments(partition))).hasSize(1);
        leader.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        RemoteLogSegmentMetadata copied = Uploads.copy(leader, Uploads.started(partition, 0, 19));
        RemoteLogSegmentMetadata late = Uploads.copy(zombie, started);
        assertThat(Uploads.toList(zombie.listRemoteLogSegments(partition))).containsExactlyInAnyOrder(copied, late);
        assertThat(zombie.remoteLogSegmentMetadata(partition, 0, 15)).contains(copied);
        assertThat(zombie.highestOffsetForEpoch(partition, 0)).contains(19L);
    }

    @Test
    @DisplayName("More segments than the cache may hold are answered all the same")
    void smallCache() throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager manager = broker(cluster, 1, Map.of("cache.max.segments", "1000"));
        List<TopicIdPartition> led = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), i, "orders");
            led.add(partition);
            fill(manager, partition, 3);
        }
        manager.onPartitionLeadershipChanges(Set.copyOf(led), Set.of());
        pass(manager, led);
        pass(manager, led);
    }
}
