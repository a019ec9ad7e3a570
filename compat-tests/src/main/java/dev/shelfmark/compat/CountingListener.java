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

    Cost costOf(Runnable calls) {
        long requestsBefore = requests.get();
        long rowsBefore = rows.get();
        calls.run();
        return new Cost(requests.get() - requestsBefore, rows.get() - rowsBefore);
    }

    long retries() {
        return retries.get();
    }

    Set<String> operations() {
        return Set.copyOf(operations);
    }
}
