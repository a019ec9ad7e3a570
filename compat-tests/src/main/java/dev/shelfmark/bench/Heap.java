package dev.shelfmark.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What is alive on the heap, and what is allocated. */
final class Heap {

    private static final int COLLECTIONS = 4;

    private Heap() {}

    /** Bytes that survive full collections; the first ones free what cleaners and reference queues hold. */
    static long liveBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    /** Bytes that this thread has allocated since it began. */
    static long allocatedByThisThread() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return ((com.sun.management.ThreadMXBean) threads).getCurrentThreadAllocatedBytes();
    }
}
