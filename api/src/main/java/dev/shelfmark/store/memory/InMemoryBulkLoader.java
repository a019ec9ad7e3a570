package dev.shelfmark.store.memory;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@link BulkLoader} in its plainest form, on an {@link InMemoryCatalogueStore.Database}. */
final class InMemoryBulkLoader implements BulkLoader {

    private static final int MAX_SEGMENTS_PER_LOAD = 1000;

    private final InMemoryCatalogueStore.Database database;
    private final String clusterId;
    private final ClusterState during;
    private final Import claimed;
    private final Object token;
    private final Duration term;

    private InMemoryBulkLoader(
            InMemoryCatalogueStore.Database database,
            String clusterId,
            ClusterState during,
            Import claimed,
            Object token,
            Duration term) {
        this.database = database;
        this.clusterId = clusterId;
        this.during = during;
        this.claimed = claimed;
        this.token = token;
        this.term = term;
    }

    /** What is kept of a cluster's import. */
    static final class Import {
        @Nullable
        Object token;

        String holder = "";
        Instant until = Instant.MIN;
        final Map<Integer, Checkpoint> checkpoints = new TreeMap<>();
        final Map<Integer, Map<PartitionKey, Progress>> progress = new HashMap<>();
    }

    static LoadClaim claim(
            InMemoryCatalogueStore.Database database,
            String clusterId,
            ClusterState during,
            String holder,
            Duration term) {
        synchronized (database) {
            Import claimed = database.imports.computeIfAbsent(clusterId, unused -> new Import());
            Instant now = database.clock.instant();
            if (claimed.token != null && claimed.until.isAfter(now)) {
                return new LoadClaim.Held(claimed.holder, claimed.until);
            }
            Object token = new Object();
            claimed.token = token;
            claimed.holder = holder;
            claimed.until = now.plus(term);
            return new LoadClaim.Granted(new InMemoryBulkLoader(database, clusterId, during, claimed, token, term));
        }
    }

    @Override
    public boolean empty() {
        synchronized (database) {
            return database.partitions.keySet().stream()
                    .noneMatch(key -> key.clusterId().equals(clusterId));
        }
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints() {
        synchronized (database) {
            return Map.copyOf(claimed.checkpoints);
        }
    }

    @Override
    public Map<PartitionKey, Progress> progress(int source) {
        synchronized (database) {
            return Map.copyOf(claimed.progress.getOrDefault(source, Map.of()));
        }
    }

    @Override
    public int maxSegmentsPerLoad() {
        return MAX_SEGMENTS_PER_LOAD;
    }

    @Override
    public LoadResult load(List<PartitionLoad> loads) {
        for (PartitionLoad load : loads) {
            LoadResult result = load(load);
            if (result != LoadResult.LOADED) {
                return result;
            }
        }
        return LoadResult.LOADED;
    }

    private LoadResult load(PartitionLoad load) {
        if (load.size() > MAX_SEGMENTS_PER_LOAD) {
            throw new StoreException.Unsupported(
                    load.size() + " segments in one load; at most " + MAX_SEGMENTS_PER_LOAD, null);
        }
        synchronized (database) {
            LoadResult permitted = renew();
            if (permitted != LoadResult.LOADED) {
                return permitted;
            }
            InMemoryCatalogueStore.Partition partition =
                    database.partitions.getOrDefault(load.key(), new InMemoryCatalogueStore.Partition());
            if (partition.head.version() != load.expectedVersion()) {
                return LoadResult.VERSION_CONFLICT;
            }
            database.partitions.put(load.key(), partition);
            partition.raise(load.head());
            load.added().forEach(segment -> partition.segments.put(segment.segmentId(), segment));
            load.replaced().forEach(segment -> partition.segments.put(segment.segmentId(), segment));
            load.removed().forEach(partition.segments::remove);
            claimed.progress
                    .computeIfAbsent(load.source(), unused -> new HashMap<>())
                    .put(load.key(), load.progress());
            return LoadResult.LOADED;
        }
    }

    @Override
    public LoadResult checkpoint(int source, Checkpoint checkpoint) {
        synchronized (database) {
            LoadResult permitted = renew();
            if (permitted == LoadResult.LOADED) {
                claimed.checkpoints.put(source, checkpoint);
                claimed.progress
                        .getOrDefault(source, new HashMap<>())
                        .values()
                        .removeIf(progress -> progress.nextOffset() <= checkpoint.nextOffset());
            }
            return permitted;
        }
    }

    @Override
    public LoadResult renew() {
        synchronized (database) {
            if (claimed.token != token) {
                return LoadResult.CLAIM_LOST;
            }
            ClusterRecord cluster = database.clusters.get(clusterId);
            if (cluster == null || cluster.state() != during) {
                return LoadResult.NOT_IMPORTING;
            }
            claimed.until = database.clock.instant().plus(term);
            return LoadResult.LOADED;
        }
    }

    @Override
    public void close() {
        synchronized (database) {
            if (claimed.token == token) {
                claimed.token = null;
            }
        }
    }
}
