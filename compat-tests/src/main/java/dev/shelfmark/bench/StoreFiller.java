package dev.shelfmark.bench;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** Brings catalogues into a store through its bulk loader, each as a cluster of its own. */
final class StoreFiller {

    private static final int SEGMENTS_PER_LOAD = 20_000;

    private final StoreProvider provider;
    private final StoreContext context;

    /** Into the store that settings lead to, with its owner's rights. */
    StoreFiller(Map<String, String> settings) {
        String store = settings.get("store");
        provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(store))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the store '" + store + "' is not on the class path"));
        context = new StoreContext(
                provider.configDef().parse(settings),
                new Retention(Duration.ofDays(7), Duration.ZERO),
                "shelfmark-bench",
                StoreListener.NONE);
    }

    /** Makes the schema. */
    void migrate() {
        try (StoreAdministration administration = provider.administration(context)) {
            administration.migrate();
        }
    }

    /** Registers a cluster and brings the live segments of a catalogue in. */
    void fill(String clusterId, Layout layout) {
        try (StoreAdministration administration = provider.administration(context)) {
            put(administration, clusterId, ClusterState.IMPORTING, 1);
            load((BulkLoading) administration, clusterId, layout);
            put(administration, clusterId, ClusterState.READY, 2);
        }
    }

    private static void put(StoreAdministration administration, String clusterId, ClusterState state, long revision) {
        if (!administration.putCluster(
                new ClusterRecord(clusterId, state, revision, Instant.now(), "bench", "a benchmark"))) {
            throw new IllegalStateException("cluster " + clusterId + " is there already");
        }
    }

    private static void load(BulkLoading loading, String clusterId, Layout layout) {
        if (!(loading.claimLoad(clusterId, "bench", Duration.ofMinutes(5)) instanceof LoadClaim.Granted granted)) {
            throw new IllegalStateException("somebody else loads " + clusterId);
        }
        try (BulkLoader loader = granted.loader()) {
            int most = Math.min(SEGMENTS_PER_LOAD, loader.maxSegmentsPerLoad());
            List<PartitionLoad> waiting = new ArrayList<>();
            int segments = 0;
            for (TopicIdPartition partition : layout.all()) {
                for (int from = 0; from < layout.live() || from == 0; from += most) {
                    PartitionLoad load = load(clusterId, layout, partition, from, Math.min(layout.live(), from + most));
                    waiting.add(load);
                    segments += load.size();
                    if (segments >= SEGMENTS_PER_LOAD) {
                        send(loader, waiting);
                        segments = 0;
                    }
                }
            }
            send(loader, waiting);
        }
    }

    private static void send(BulkLoader loader, List<PartitionLoad> loads) {
        if (!loads.isEmpty()) {
            BulkLoader.LoadResult result = loader.load(loads);
            if (result != BulkLoader.LoadResult.LOADED) {
                throw new IllegalStateException("loading ended with " + result);
            }
            loads.clear();
        }
    }

    /** Each segment took two changes, and each deleted one two more. */
    private static PartitionLoad load(String clusterId, Layout layout, TopicIdPartition partition, int from, int to) {
        List<SegmentRecord> segments = new ArrayList<>(to - from);
        long base = 4L * layout.deleted();
        for (int i = from; i < to; i++) {
            SegmentRecord segment = KafkaMapping.record(layout.segment(
                    partition, (long) layout.deleted() + i, RemoteLogSegmentState.COPY_SEGMENT_FINISHED));
            segments.add(atVersion(segment, base + 2L * (i + 1)));
        }
        PartitionHead head = new PartitionHead(
                base + 2L * to,
                layout.topic(),
                to,
                Layout.OFFSETS - 1,
                PartitionDeletion.NONE,
                new TreeMap<>(Map.of(Layout.EPOCH, Layout.endOffset((long) layout.deleted() + to - 1))));
        return new PartitionLoad(
                KafkaMapping.key(clusterId, partition),
                from == 0 ? 0 : base + 2L * from,
                head,
                segments,
                List.of(),
                Set.of(),
                0,
                new BulkLoader.Progress(1, ""));
    }

    private static SegmentRecord atVersion(SegmentRecord segment, long version) {
        return segment.toBuilder().version(version).finishedVersion(version).build();
    }
}
