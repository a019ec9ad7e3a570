package dev.shelfmark.tool;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.BrokerHeartbeat.Mode;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What brokers in bridge mode write of themselves: each acknowledges what it sees of its cluster, unless it is deaf to what comes. */
public final class BridgedBrokers implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(1);

    public final Map<Integer, Mode> modes = new ConcurrentHashMap<>();
    public final Set<Integer> deaf = ConcurrentHashMap.newKeySet();
    private final InMemoryCatalogueStore.Database database;
    private final Map<Integer, ClusterRecord> acknowledged = new TreeMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private long beats;

    public BridgedBrokers(InMemoryCatalogueStore.Database database, Integer... ids) {
        this.database = database;
        for (Integer id : ids) {
            modes.put(id, Mode.BRIDGE);
        }
        var unused = thread.scheduleWithFixedDelay(this::beat, 0, 20, TimeUnit.MILLISECONDS);
    }

    /** Waits until each has written a heartbeat in its mode, acting on the cluster's record as it is. */
    public void awaitAll(String clusterId) {
        long limit = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!actingOnTheRecord(clusterId).containsAll(modes.keySet())) {
            if (System.nanoTime() > limit) {
                throw new AssertionError("only " + actingOnTheRecord(clusterId) + " of " + modes.keySet()
                        + " act on the record of " + clusterId);
            }
            Thread.onSpinWait();
        }
    }

    private Set<Integer> actingOnTheRecord(String clusterId) {
        long revision = database.clusters().stream()
                .filter(cluster -> cluster.clusterId().equals(clusterId))
                .mapToLong(ClusterRecord::revision)
                .max()
                .orElse(0);
        return database.heartbeats(clusterId).stream()
                .filter(beat -> beat.acknowledgedRevision() == revision && beat.mode() == modes.get(beat.brokerId()))
                .map(BrokerHeartbeat::brokerId)
                .collect(Collectors.toSet());
    }

    private void beat() {
        try (InMemoryCatalogueStore store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE)) {
            for (ClusterRecord cluster : database.clusters()) {
                modes.forEach((id, mode) -> {
                    ClusterRecord seen = deaf.contains(id) ? acknowledged.getOrDefault(id, cluster) : cluster;
                    acknowledged.put(id, seen);
                    store.heartbeat(new BrokerHeartbeat(
                            cluster.clusterId(),
                            id,
                            "start",
                            ++beats,
                            mode,
                            "1.0",
                            seen.state(),
                            seen.revision(),
                            LEASE,
                            Instant.EPOCH,
                            deaf.contains(id) ? "2 writes that are under way" : ""));
                });
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
