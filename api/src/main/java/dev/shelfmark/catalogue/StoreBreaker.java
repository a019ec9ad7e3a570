package dev.shelfmark.catalogue;

import dev.shelfmark.store.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Fails reads at once while the store is known not to answer, so that threads which others wait for do not each find it out by a time-out. One
 * caller after the other is let through to try again. Only spares attempts; never answers.
 */
final class StoreBreaker {

    private final Runnable whenRecovered;
    private final AtomicLong triedAtNanos = new AtomicLong();
    private volatile @Nullable String failure;

    /** @param whenRecovered run when the store answers again */
    StoreBreaker(Runnable whenRecovered) {
        this.whenRecovered = whenRecovered;
    }

    /**
     * Returns when the caller may ask the store.
     *
     * @throws StoreException.Unavailable when it is known not to answer
     */
    void check(ReadPatience patience) {
        String known = failure;
        if (known == null) {
            return;
        }
        long now = System.nanoTime();
        long tried = triedAtNanos.get();
        boolean due = now - tried >= patience.retryAfter().toNanos();
        if (!due
                || !(triedAtNanos.compareAndSet(tried, now)
                        || patience.retryAfter().isZero())) {
            throw new StoreException.Unavailable(
                    "the store failed " + TimeUnit.NANOSECONDS.toMillis(now - tried) + " ms ago: " + known, null);
        }
    }

    /** Takes note of what a read came to; whether a partition can be understood says nothing of the store. */
    void failed(StoreException e) {
        if (e instanceof StoreException.Corrupt
                || e instanceof StoreException.Unsupported
                || Thread.currentThread().isInterrupted()) {
            return;
        }
        triedAtNanos.set(System.nanoTime());
        failure = String.valueOf(e.getMessage());
    }

    /** The store answered. */
    void succeeded() {
        if (failure != null) {
            failure = null;
            whenRecovered.run();
        }
    }
}
