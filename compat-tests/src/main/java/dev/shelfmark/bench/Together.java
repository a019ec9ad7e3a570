package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work that begins at one moment in as many threads. */
final class Together {

    private static final long LIMIT_MINUTES = 10;

    private Together() {}

    /** Runs all of it; the results in order, or the first failure. */
    static <T> List<T> call(List<Callable<T>> work) {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        CountDownLatch ready = new CountDownLatch(work.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> each : work) {
                futures.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return each.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(LIMIT_MINUTES, TimeUnit.MINUTES));
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread of the measurement failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the measurement took longer than " + LIMIT_MINUTES + " minutes", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
