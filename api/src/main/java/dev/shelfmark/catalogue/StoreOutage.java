package dev.shelfmark.catalogue;

import java.time.Duration;

/**
 * Remembers that the store failed a moment ago, so that answers which memory can give do not each wait for another time-out. Only spares
 * attempts; never decides what may be answered.
 */
final class StoreOutage {

    private static final long RETRY_AFTER_NANOS = Duration.ofSeconds(1).toNanos();

    private volatile long failedAtNanos;
    private volatile boolean failing;

    void failed() {
        if (Thread.currentThread().isInterrupted()) {
            // Whoever was called off while waiting has learned nothing of the store.
            return;
        }
        failedAtNanos = System.nanoTime();
        failing = true;
    }

    void succeeded() {
        failing = false;
    }

    boolean justFailed() {
        return failing && System.nanoTime() - failedAtNanos < RETRY_AFTER_NANOS;
    }
}
