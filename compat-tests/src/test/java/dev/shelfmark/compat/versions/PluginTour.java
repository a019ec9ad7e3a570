package dev.shelfmark.compat.versions;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;
import org.jspecify.annotations.Nullable;

/** Uses every method of the plugin once, in whichever Kafka's classes it is loaded with, and tells what it saw. */
public final class PluginTour implements Callable<List<String>> {

    private static final TopicIdPartition PARTITION = new TopicIdPartition(new Uuid(1, 2), 0, "orders");

    private final List<String> seen = new ArrayList<>();

    /** For reflection: the class is loaded by a loader of its own. */
    public PluginTour() {}

    @Override
    public List<String> call() throws Exception {
        InMemoryCatalogueStore.Database database = new InMemoryCatalogueStore.Database(Clock.systemUTC());
        try (CatalogueRemoteLogMetadataManager plugin = new CatalogueRemoteLogMetadataManager()) {
            Map<String, Object> settings = new HashMap<>(TourStoreProvider.settings(database));
            settings.put("cluster.id", "a-cluster");
            settings.put("broker.id", 1);
            settings.put("log.dir", "unused");
            settings.put("cluster.state.poll.ms", "100");
            plugin.configure(settings);
            see("ready before it is registered", plugin.isReady(PARTITION));
            see("lookup before it is registered", failure(() -> plugin.remoteLogSegmentMetadata(PARTITION, 0, 5)));
            database.putCluster(new ClusterRecord("a-cluster", ClusterState.READY, 1, Instant.now(), "tour", ""));
            awaitReady(plugin);
            tour(plugin);
        }
        return seen;
    }

    private void tour(CatalogueRemoteLogMetadataManager plugin) throws Exception {
        plugin.onPartitionLeadershipChanges(Set.of(PARTITION), Set.of());
        RemoteLogSegmentId id = new RemoteLogSegmentId(PARTITION, new Uuid(3, 4));
        plugin.addRemoteLogSegmentMetadata(added(id)).get(10, TimeUnit.SECONDS);
        update(plugin, id, RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        see("lookup", plugin.remoteLogSegmentMetadata(PARTITION, 1, 5).orElseThrow());
        see("lookup of nothing", plugin.remoteLogSegmentMetadata(PARTITION, 1, 10));
        see("next", plugin.nextSegmentWithTxnIndex(PARTITION, 0, 0));
        see("highest", plugin.highestOffsetForEpoch(PARTITION, 0));
        see("list", plugin.listRemoteLogSegments(PARTITION).next());
        see("list of an epoch", plugin.listRemoteLogSegments(PARTITION, 1).next());
        see("size", plugin.remoteLogSize(PARTITION, 1));
        see(
                "unknown",
                failure(() -> update(
                        plugin,
                        new RemoteLogSegmentId(PARTITION, new Uuid(5, 6)),
                        RemoteLogSegmentState.COPY_SEGMENT_FINISHED)));
        update(plugin, id, RemoteLogSegmentState.DELETE_SEGMENT_STARTED);
        update(plugin, id, RemoteLogSegmentState.DELETE_SEGMENT_FINISHED);
        see("list after the deletion", plugin.listRemoteLogSegments(PARTITION).hasNext());
        for (RemotePartitionDeleteState state : RemotePartitionDeleteState.values()) {
            plugin.putRemotePartitionDeleteMetadata(new RemotePartitionDeleteMetadata(PARTITION, state, 1, 1))
                    .get(10, TimeUnit.SECONDS);
        }
        see("lookup in a deleted partition", failure(() -> plugin.remoteLogSegmentMetadata(PARTITION, 0, 5)));
        plugin.onStopPartitions(Set.of(PARTITION));
    }

    private static RemoteLogSegmentMetadata added(RemoteLogSegmentId id) {
        Map<Integer, Long> epochs = Map.of(0, 0L, 1, 5L);
        try {
            return new RemoteLogSegmentMetadata(id, 0, 9, 1_000, 1, 2_000, 300, epochs, true);
        } catch (NoSuchMethodError before40) {
            return new RemoteLogSegmentMetadata(id, 0, 9, 1_000, 1, 2_000, 300, epochs);
        }
    }

    private static void update(
            CatalogueRemoteLogMetadataManager plugin, RemoteLogSegmentId id, RemoteLogSegmentState state)
            throws Exception {
        plugin.updateRemoteLogSegmentMetadata(new RemoteLogSegmentMetadataUpdate(
                        id, 3_000, Optional.of(new CustomMetadata(new byte[] {7})), state, 2))
                .get(10, TimeUnit.SECONDS);
    }

    private static void awaitReady(CatalogueRemoteLogMetadataManager plugin) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!plugin.isReady(PARTITION)) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("the plugin is not ready after 20 s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void see(String what, @Nullable Object answer) {
        seen.add(what + ": " + answer);
    }

    private static String failure(ThrowingRunnable call) {
        try {
            call.run();
            return "none";
        } catch (ExecutionException e) {
            return "future failed with "
                    + Objects.requireNonNull(e.getCause()).getClass().getName();
        } catch (Exception e) {
            return e.getClass().getName();
        }
    }

    /** A call that may throw. */
    @FunctionalInterface
    private interface ThrowingRunnable {
        void run() throws Exception;
    }
}
