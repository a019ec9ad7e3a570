package dev.shelfmark.catalogue;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the store that their caller gives up when the store is silent for too long. A driver's call can't be called off, so it runs on a thread
 * of its own, which ends by the store's limits; what it still reads is dropped.
 */
final class BoundedReads {

    private final CatalogueStore store;
    private final @Nullable Executor threads;

    /** @param threads where reads run; null for the caller's own thread, which then waits for as long as the store does */
    BoundedReads(CatalogueStore store, @Nullable Executor threads) {
        this.store = store;
        this.threads = threads;
    }

    /**
     * As {@link CatalogueStore#read}, but for a bounded time.
     *
     * @param silenceNanos how long the store may hand over nothing
     * @throws StoreException.Unavailable also when the store was silent for so long
     */
    PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments, long silenceNanos) {
        if (threads == null) {
            return store.read(key, selection, segments);
        }
        Attempt<PartitionHead> attempt = new Attempt<>();
        return attempt.run(
                threads,
                () -> store.read(key, selection, segment -> {
                    attempt.progress();
                    segments.accept(segment);
                }),
                "partition " + key,
                silenceNanos);
    }

    /** Any other question to the store, within a bounded time. */
    <T> T ask(String what, Supplier<T> question, long silenceNanos) {
        return threads == null ? question.get() : new Attempt<T>().run(threads, question, what, silenceNanos);
    }

    private static final class Attempt<T> {
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private volatile long handedOver;
        private volatile boolean abandoned;

        /** On the reading thread only. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        void progress() {
            stopIfAbandoned();
            handedOver++;
        }

        private void stopIfAbandoned() {
            if (abandoned) {
                throw new StoreException.Unavailable("nobody waits for this read any more", null);
            }
        }

        T run(Executor threads, Supplier<T> question, String what, long silenceNanos) {
            try {
                threads.execute(() -> {
                    try {
                        stopIfAbandoned();
                        answer.complete(question.get());
                    } catch (RuntimeException | Error e) {
                        answer.completeExceptionally(e);
                    }
                });
            } catch (RuntimeException e) {
                throw new StoreException.Unavailable(what + " can't be read: no thread for it", e);
            }
            return await(what, silenceNanos);
        }

        private T await(String what, long silenceNanos) {
            long before = 0;
            while (true) {
                try {
                    return answer.get(silenceNanos, TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    long now = handedOver;
                    if (now == before) {
                        abandoned = true;
                        throw new StoreException.Unavailable(
                                what + ": the store has been silent for " + TimeUnit.NANOSECONDS.toMillis(silenceNanos)
                                        + " ms",
                                null);
                    }
                    before = now;
                } catch (InterruptedException e) {
                    abandoned = true;
                    Thread.currentThread().interrupt();
                    throw new StoreException.Unavailable(what + ": interrupted while waiting for the store", e);
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause());
                }
            }
        }

        private static RuntimeException rethrown(@Nullable Throwable cause) {
            if (cause instanceof Error error) {
                throw error;
            }
            return cause instanceof RuntimeException failure
                    ? failure
                    : new StoreException.Unavailable("the store failed: " + cause, cause);
        }
    }
}
