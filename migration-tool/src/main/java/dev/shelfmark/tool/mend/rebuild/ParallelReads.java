package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.failure.ToolFailure;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Runs reads side by side, never more than so many, and ends with the first failure. */
final class ParallelReads implements AutoCloseable {

    private static final int LISTEN_MILLIS = 200;

    private final ExecutorService threads;
    private final Semaphore room;
    private final int most;
    private final Pace pace;
    private final BooleanSupplier stopped;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * Nothing runs yet.
     *
     * @param most how many at once
     * @param stopped whether to give up
     */
    ParallelReads(int most, Pace pace, BooleanSupplier stopped) {
        this.most = most;
        this.room = new Semaphore(most);
        this.pace = pace;
        this.stopped = stopped;
        this.threads = Executors.newFixedThreadPool(most, task -> {
            Thread thread = new Thread(task, "shelfmark-read");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs a read when there is room for it; waits until then. */
    void run(Runnable read) {
        pace.await();
        acquire(1);
        threads.execute(() -> {
            try {
                read.run();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            } finally {
                room.release();
            }
        });
    }

    /** Waits until all have ended. */
    void finish() {
        acquire(most);
        room.release(most);
        throwFailure();
    }

    private void acquire(int permits) {
        try {
            do {
                throwFailure();
                if (stopped.getAsBoolean()) {
                    throw ToolFailure.refused("stopped; run the same command again to go on");
                }
            } while (!room.tryAcquire(permits, LISTEN_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.refused("interrupted; run the same command again to go on");
        }
    }

    private void throwFailure() {
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
