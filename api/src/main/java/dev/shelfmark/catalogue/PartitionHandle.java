package dev.shelfmark.catalogue;

import com.github.benmanes.caffeine.cache.Cache;
import dev.shelfmark.store.PartitionKey;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A partition as somebody knows it who asks for it often: finds what is held of it without a search. It keeps nothing in memory that the
 * cache has let go. May be used by many threads.
 */
public final class PartitionHandle {

    /** The cache keeps what is asked for often, so that it must hear of it; to tell it each time would take longer than the answer. */
    private static final long TOUCH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PartitionKey key;
    private volatile WeakReference<CachedPartition> found = new WeakReference<>(null);
    private volatile long touchedNanos;
    private volatile Leadership.@Nullable Term term;

    PartitionHandle(PartitionKey key) {
        this.key = key;
    }

    /** The partition. */
    public PartitionKey key() {
        return key;
    }

    /** What the cache holds, or null. */
    @Nullable
    CachedPartition cached(Cache<PartitionKey, CachedPartition> cache, long now) {
        CachedPartition known = found.get();
        if (known != null && !known.dropped() && now - touchedNanos < TOUCH_NANOS) {
            return known;
        }
        CachedPartition held = cache.getIfPresent(key);
        if (held != known) {
            found = new WeakReference<>(held);
        }
        touchedNanos = now;
        return held;
    }

    /** The term for which the partition is led now, or null. */
    Leadership.@Nullable Term term(Leadership leadership) {
        Leadership.Term known = term;
        if (known != null && !known.over()) {
            return known;
        }
        Leadership.Term now = leadership.term(key);
        term = now;
        return now;
    }
}
