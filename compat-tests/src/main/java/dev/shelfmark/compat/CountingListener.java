package dev.shelfmark.compat;

import dev.shelfmark.store.StoreListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a store does. */
final class CountingListener implements StoreListener {

    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private final Set<String> operations = ConcurrentHashMap.newKeySet();

    /** What some calls cost. */
    record Cost(long requests, long rows) {}

    @Override
    public void requested(String operation, long rowCount, long nanos) {
        requests.incrementAndGet();
        rows.addAndGet(rowCount);
        operations.add(operation);
    }

    @Override
    public void retried(String operation, String reason) {
        retries.incrementAndGet();
    }

    /** Tells another listener too. */
    StoreListener and(StoreListener other) {
        return new StoreListener() {
            @Override
            public void requested(String operation, long rowCount, long nanos) {
                CountingListener.this.requested(operation, rowCount, nanos);
                other.requested(operation, rowCount, nanos);
            }

            @Override
            public void retried(String operation, String reason) {
                CountingListener.this.retried(operation, reason);
                other.retried(operation, reason);
            }
        };
    }

    /** Calls that may throw. */
    interface Calls {
        void run() throws Exception;
    }

    Cost costOf(Calls calls) {
        long requestsBefore = requests.get();
        long rowsBefore = rows.get();
        try {
            calls.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("a call failed while its cost was counted", e);
        }
        return new Cost(requests.get() - requestsBefore, rows.get() - rowsBefore);
    }

    long retries() {
        return retries.get();
    }

    Set<String> operations() {
        return Set.copyOf(operations);
    }
}
