package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Loads windows on a thread of its own while the next is read: one at a time, in the order in which they are given. A load begins only after
 * the one before it was found to be LOADED, so that a failure leaves nothing behind it in flight. Used by one thread, which also sees what
 * the loads did: each has ended before its result is told.
 */
final class BackgroundLoad implements AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "shelfmark-import-load");
        made.setDaemon(true);
        return made;
    });
    private @Nullable Future<LoadResult> inFlight;

    /** Begins the next load. The one before it must have been settled. */
    void begin(Callable<LoadResult> load) {
        if (inFlight != null) {
            throw new IllegalStateException("a load is in flight");
        }
        inFlight = thread.submit(load);
    }

    /** Whether there is a result to {@link #settle}, without waiting for one. */
    boolean ended() {
        return inFlight != null && inFlight.isDone();
    }

    /**
     * What the load in flight came to, once it is over; LOADED when there is none. Waits for as long as the store lets it run, even when
     * interrupted: nobody may take it for undone before. Throws what the load threw.
     */
    LoadResult settle() {
        Future<LoadResult> load = inFlight;
        if (load == null) {
            return LoadResult.LOADED;
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return load.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } finally {
            inFlight = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** Returns once nothing is in flight. */
    @Override
    public void close() {
        try {
            settle();
        } finally {
            thread.shutdown();
        }
    }
}
