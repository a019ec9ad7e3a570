package dev.shelfmark.catalogue;

import com.github.benmanes.caffeine.cache.Cache;
import dev.shelfmark.catalogue.CachedPartition.View;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.VersionReading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One look at the store for many partitions: a broker lists every partition that it leads twice a minute, one soon after the other, and each
 * needs to know whether its version is still the one that is held. What has changed is read by whoever asks for it.
 */
final class BatchedVersionCheck {

    private final VersionReading store;
    private final BoundedReads reads;
    private final Cache<PartitionKey, CachedPartition> cache;
    private final Leadership leadership;
    private final long maxAgeNanos;
    private final ReentrantLock lock = new ReentrantLock();

    BatchedVersionCheck(
            VersionReading store,
            BoundedReads reads,
            Cache<PartitionKey, CachedPartition> cache,
            Leadership leadership,
            CatalogueSettings settings) {
        this.store = store;
        this.reads = reads;
        this.cache = cache;
        this.leadership = leadership;
        this.maxAgeNanos = settings.leaderMaxStaleness().toNanos();
    }

    /**
     * Looks for a partition that is held, and with it for others that are led and not far from their own next look.
     *
     * @param waitNanos how long to wait for another thread's look, which may do for this partition too
     * @throws dev.shelfmark.store.StoreException when the store can't tell
     */
    void at(PartitionKey key, CachedPartition asked, long lookedAtOrAfterNanos, long waitNanos) {
        try {
            if (!lock.tryLock(waitNanos, TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            View held = asked.view();
            if (held != null && !asked.holds(held, lookedAtOrAfterNanos)) {
                look(key, asked, waitNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    private void look(PartitionKey key, CachedPartition asked, long silenceNanos) {
        long began = System.nanoTime();
        Map<PartitionKey, CachedPartition> partitions = new HashMap<>(Map.of(key, asked));
        for (Map.Entry<PartitionKey, CachedPartition> other : cache.asMap().entrySet()) {
            if (partitions.size() == VersionReading.MAX_PARTITIONS) {
                break;
            }
            View held = other.getValue().view();
            OptionalLong ledSince = leadership.ledSince(other.getKey());
            if (held != null
                    && ledSince.isPresent()
                    && !(held.since(began - maxAgeNanos / 2) && held.since(ledSince.getAsLong()))) {
                partitions.put(other.getKey(), other.getValue());
            }
        }
        if (partitions.size() == 1) {
            // Its own look does, and brings what has changed along.
            return;
        }
        List<PartitionKey> keys = new ArrayList<>(partitions.keySet());
        Map<PartitionKey, Long> versions = reads.ask(
                "the versions of " + keys.size() + " partitions",
                () -> store.versions(key.clusterId(), keys),
                silenceNanos);
        partitions.forEach((each, partition) -> partition.seen(versions.getOrDefault(each, 0L), began));
    }
}
