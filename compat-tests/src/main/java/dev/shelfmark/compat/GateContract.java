package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, stopping, and whether the catalogue may speak for a cluster. */
@DisplayName("Gate: nothing is answered, least of all as empty, until the cluster is known and ready")
public abstract class GateContract extends PluginContract {

    private static final Duration SOON = Duration.ofSeconds(15);

    protected GateContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private void set(String cluster, ClusterState state, long revision) {
        try (StoreAdministration administration = harness().administration()) {
            ClusterRecord next = new ClusterRecord(cluster, state, revision, Instant.EPOCH, "test", "");
            assertThat(administration.putCluster(next)).isTrue();
        }
    }

    private static void assertClosed(CatalogueRemoteLogMetadataManager manager, String inMessage) throws Exception {
        TopicIdPartition partition = Uploads.newPartition();
        assertThat(manager.isReady(partition)).isFalse();
        for (Map.Entry<String, Callable<Object>> read :
                everyRead(manager, partition).entrySet()) {
            assertThatThrownBy(read.getValue()::call)
                    .as(read.getKey())
                    .isInstanceOf(RetriableException.class)
                    .hasMessageContaining(inMessage);
        }
        assertThatThrownBy(() -> Uploads.done(manager.addRemoteLogSegmentMetadata(Uploads.started(partition, 0, 9))))
                .hasCauseInstanceOf(RemoteStorageException.class);
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        manager.onStopPartitions(Set.of(partition));
    }

    @Test
    @DisplayName(
            "An unknown cluster is not an empty one: reads throw what is retried, writes fail, the command to run is named")
    void unknownCluster() throws Exception {
        String cluster = newClusterId();
        CatalogueRemoteLogMetadataManager manager = start(harness()::open, cluster, Map.of());
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(manager, "shelfmark init"));
        set(cluster, ClusterState.READY, 1);
        PluginBroker.awaitReady(manager);
        Uploads.copy(manager, Uploads.started(Uploads.newPartition(), 0, 9));
    }

    @Test
    @DisplayName(
            "While history is imported or a backup restored, nothing is answered; a change of state is noticed by itself")
    void importingAndRestoring() throws Exception {
        String cluster = newClusterId();
        set(cluster, ClusterState.IMPORTING, 1);
        CatalogueRemoteLogMetadataManager manager = start(harness()::open, cluster, Map.of());
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(manager, "import"));
        set(cluster, ClusterState.READY, 2);
        PluginBroker.awaitReady(manager);
        TopicIdPartition partition = Uploads.newPartition();
        manager.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        Uploads.copy(manager, Uploads.started(partition, 0, 9));
        set(cluster, ClusterState.RESTORING, 3);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(manager, "restor"));
        set(cluster, ClusterState.READY, 4);
        PluginBroker.awaitReady(manager);
        assertThat(manager.remoteLogSegmentMetadata(partition, 0, 5)).isPresent();
    }

    private CatalogueProgress awaitCounted(String cluster, int broker) {
        ProgressKeeping store = (ProgressKeeping) open();
        return Awaitility.await("broker " + broker + " counted its change")
                .atMost(SOON)
                .until(
                        () -> store.progress(cluster),
                        found -> found.stream()
                                .flatMap(progress -> progress.brokers().stream())
                                .anyMatch(known -> known.brokerId() == broker && known.counter() > 0))
                .orElseThrow();
    }

    private static void awaitFile(Path directory, String start) {
        Path file = directory.resolve("shelfmark-catalogue-checkpoint");
        Awaitility.await(file + " holds " + start)
                .atMost(SOON)
                .until(() -> Files.exists(file)
                        && Files.readAllLines(file).stream().anyMatch(line -> line.startsWith(start)));
    }

    /** What a backup does to a broker's counter. */
    private void goBack(String cluster, int broker) {
        ((ProgressKeeping) open()).putProgress(cluster, new BrokerProgress(broker, 0, BrokerProgress.Regression.NONE));
    }

    private void accept(String cluster) {
        try (StoreAdministration administration = harness().administration()) {
            ProgressAcceptance acceptance = (ProgressAcceptance) administration;
            CatalogueProgress progress = acceptance.progress(cluster).orElseThrow();
            assertThat(acceptance.accept(
                            cluster,
                            Optional.of(progress.catalogueId()),
                            newClusterId(),
                            Set.of(progress.catalogueId())))
                    .isTrue();
        }
    }

    @Test
    @DisplayName(
            "A database that went back is noticed while the broker runs and after its restart, until it is accepted")
    void wentBack(@TempDir Path directory) throws Exception {
        String cluster = newCluster();
        Map<String, ?> settings = Map.of("log.dir", directory.toString());
        CatalogueRemoteLogMetadataManager manager = broker(cluster, 1, settings);
        Uploads.copy(manager, Uploads.started(Uploads.newPartition(), 0, 9));
        awaitCounted(cluster, 1);
        awaitFile(directory, "counter 1 ");

        goBack(cluster, 1);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(manager, "went back"));
        manager.close();

        CatalogueRemoteLogMetadataManager restarted = start(harness()::open, cluster, settings);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(restarted, "shelfmark state accept-restored"));

        accept(cluster);
        PluginBroker.awaitReady(restarted);
        restarted.close();
        CatalogueRemoteLogMetadataManager again = start(harness()::open, cluster, settings);
        PluginBroker.awaitReady(again);
        Uploads.copy(again, Uploads.started(Uploads.newPartition(), 0, 9));
    }

    @Test
    @DisplayName("What one broker noticed keeps the others closed, also one that has seen nothing yet")
    void warned(@TempDir Path first, @TempDir Path second) throws Exception {
        String cluster = newCluster();
        CatalogueRemoteLogMetadataManager manager = broker(cluster, 1, Map.of("log.dir", first.toString()));
        Uploads.copy(manager, Uploads.started(Uploads.newPartition(), 0, 9));
        awaitCounted(cluster, 1);
        awaitFile(first, "counter 1 ");
        goBack(cluster, 1);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(manager, "went back"));
        CatalogueRemoteLogMetadataManager other = closeLater(PluginBroker.start(
                PluginBroker.settings(harness()::open, cluster, 2, Map.of("log.dir", second.toString()))));
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(other, "broker 1 reports"));
        accept(cluster);
        PluginBroker.awaitReady(manager);
        PluginBroker.awaitReady(other);
    }

    @Test
    @DisplayName("Another database that answers behind the same name is noticed after a restart")
    void anotherDatabase(@TempDir Path directory) throws Exception {
        String cluster = newCluster();
        Map<String, ?> settings = Map.of("log.dir", directory.toString());
        broker(cluster, 1, settings).close();
        awaitFile(directory, "source-of-truth yes");
        try (StoreHarness another = another()) {
            CatalogueRemoteLogMetadataManager moved = start(another::open, cluster, settings);
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(moved, "is unknown to the database"));
            try (StoreAdministration administration = another.administration()) {
                assertThat(administration.putCluster(
                                new ClusterRecord(cluster, ClusterState.READY, 1, Instant.EPOCH, "test", "")))
                        .isTrue();
            }
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(moved, "but this broker has worked with"));
            moved.close();
        }
        PluginBroker.awaitReady(start(harness()::open, cluster, settings));
    }

    @Test
    @DisplayName(
            "A file that is damaged, or was copied from another broker, keeps the broker closed; without one it starts")
    void badFile(@TempDir Path directory) throws Exception {
        String cluster = newCluster();
        Map<String, ?> settings = Map.of("log.dir", directory.toString());
        broker(cluster, 1, settings).close();
        awaitFile(directory, "source-of-truth yes");
        CatalogueRemoteLogMetadataManager other =
                closeLater(PluginBroker.start(PluginBroker.settings(harness()::open, cluster, 2, settings)));
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(other, "copied from elsewhere"));
        other.close();
        Path file = directory.resolve("shelfmark-catalogue-checkpoint");
        Files.writeString(file, "version 1\ncluster");
        CatalogueRemoteLogMetadataManager damaged = start(harness()::open, cluster, settings);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertClosed(damaged, "damaged"));
        Files.delete(file);
        PluginBroker.awaitReady(damaged);
    }

    @Test
    @DisplayName("isReady never throws, and callbacks never do: before configure, after a failed one, after close")
    void outsideItsLife() {
        TopicIdPartition partition = Uploads.newPartition();
        CatalogueRemoteLogMetadataManager unconfigured = new CatalogueRemoteLogMetadataManager();
        assertThat(unconfigured.isReady(partition)).isFalse();
        unconfigured.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        unconfigured.onStopPartitions(Set.of(partition));
        unconfigured.close();
        CatalogueRemoteLogMetadataManager failed = new CatalogueRemoteLogMetadataManager();
        assertThatThrownBy(() -> failed.configure(Map.of("store", "no-such-store")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no-such-store")
                .hasMessageContaining("compat");
        assertThat(failed.isReady(partition)).isFalse();
        failed.close();
        failed.close();
        CatalogueRemoteLogMetadataManager closed = broker(newCluster());
        closed.close();
        closed.close();
        assertThat(closed.isReady(partition)).isFalse();
        closed.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        closed.onStopPartitions(Set.of(partition));
        assertThatThrownBy(() -> closed.remoteLogSegmentMetadata(partition, 0, 0))
                .isInstanceOf(RetriableException.class);
        assertThat(closed.addRemoteLogSegmentMetadata(Uploads.started(partition, 0, 9)))
                .isCompletedExceptionally();
    }

    @Test
    @DisplayName("A key that means nothing is refused by name, with the nearest that means something")
    void unknownKeys() {
        Map<String, Object> settings =
                new HashMap<>(PluginBroker.settings(harness()::open, newClusterId(), 1, Map.of()));
        settings.put("cache.max.segmnets", "5000");
        assertThatThrownBy(() -> PluginBroker.start(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cache.max.segmnets")
                .hasMessageContaining("cache.max.segments");
    }

    @Test
    @DisplayName("A value that can't be is refused by its key")
    void badValues() {
        for (Map.Entry<String, String> bad : Map.of(
                        "write.timeout.ms", "soon",
                        "write.threads", "0",
                        "cache.max.segments", "-1",
                        "cluster.state.poll.ms", "1")
                .entrySet()) {
            assertThatThrownBy(() -> PluginBroker.start(PluginBroker.settings(
                            harness()::open, newClusterId(), 1, Map.of(bad.getKey(), bad.getValue()))))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(bad.getKey());
        }
    }

    @Test
    @DisplayName(
            "configure returns at once and the broker starts, though the store is down; it is ready when the store is")
    void storeDownAtStart() throws Exception {
        String cluster = newCluster();
        FaultyStore faulty = openFaulty(StoreListener.NONE);
        faulty.faults().refuse();
        long start = System.nanoTime();
        CatalogueRemoteLogMetadataManager manager = start((retention, listener) -> faulty.store(), cluster, Map.of());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertClosed(manager, "");
        faulty.faults().heal();
        PluginBroker.awaitReady(manager);
        Uploads.copy(manager, Uploads.started(Uploads.newPartition(), 0, 9));
    }

    @Test
    @DisplayName("Starting costs the same however many segments there are")
    void startingCost() throws Exception {
        String cluster = newCluster();
        CountingListener empty = new CountingListener();
        CountingListener.Cost before =
                empty.costOf(() -> counted(empty, cluster, Map.of()).close());
        CatalogueRemoteLogMetadataManager writer = broker(cluster);
        TopicIdPartition partition = Uploads.newPartition();
        for (int i = 0; i < 200; i++) {
            Uploads.copy(writer, Uploads.started(partition, i, i));
        }
        CountingListener full = new CountingListener();
        CountingListener.Cost after =
                full.costOf(() -> counted(full, cluster, Map.of()).close());
        assertThat(after.requests()).isLessThanOrEqualTo(before.requests());
        assertThat(after.rows()).isLessThanOrEqualTo(before.rows());
    }
}
