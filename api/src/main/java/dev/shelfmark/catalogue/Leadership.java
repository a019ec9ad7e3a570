package dev.shelfmark.catalogue;

import dev.shelfmark.store.PartitionKey;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which partitions this broker leads, as its controller told it, and since when. Never blocks. */
final class Leadership {

    private final Map<PartitionKey, Long> ledSinceNanos = new ConcurrentHashMap<>();

    /** Leads these from now on. Told again of one that it leads, it may have lost it in between: it counts anew. */
    void leads(Set<PartitionKey> partitions) {
        partitions.forEach(key -> ledSinceNanos.put(key, System.nanoTime()));
    }

    /** Does not lead these. */
    void leadsNoMore(Set<PartitionKey> partitions) {
        partitions.forEach(ledSinceNanos::remove);
    }

    /** Since when a partition is led, by {@link System#nanoTime()}; empty when it is not. */
    OptionalLong ledSince(PartitionKey key) {
        Long since = ledSinceNanos.get(key);
        return since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }

    int size() {
        return ledSinceNanos.size();
    }
}
