package dev.shelfmark.plugin.metrics;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long calls took, of late: buckets an eighth of a power of two wide, over the last one to two minutes. Recording takes a few nanoseconds
 * and no lock, as a lookup from memory itself takes only some hundred.
 */
public final class LatencyHistogram {

    private static final int STEPS = 8;
    /** A power of two, so that drawing one costs next to nothing. */
    private static final int ONE_OF = 16;

    private static final int BUCKETS = Long.SIZE * STEPS;
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder count = new LongAdder();
    private final AtomicLong windowStartNanos = new AtomicLong(System.nanoTime());
    private volatile AtomicLongArray current = new AtomicLongArray(BUCKETS);
    private volatile AtomicLongArray previous = new AtomicLongArray(BUCKETS);

    /** Records one call. */
    public void record(long nanos) {
        count.increment();
        record(nanos, System.nanoTime(), 1);
    }

    /** Counts one call that began at a moment, and times one of {@value #ONE_OF}, drawn by lot, for all of them. */
    void recordSometimes(long began) {
        count.increment();
        if (ThreadLocalRandom.current().nextInt(ONE_OF) == 0) {
            long now = System.nanoTime();
            record(now - began, now, ONE_OF);
        }
    }

    private void record(long nanos, long now, int times) {
        rotate(now);
        current.addAndGet(bucket(nanos), times);
    }

    /** How many calls there were, since the start. */
    long count() {
        return count.sum();
    }

    /** The time in milliseconds that a share of the recent calls (0 to 1) did not exceed; 0 without calls. */
    double quantileMs(double share) {
        rotate(System.nanoTime());
        AtomicLongArray newer = current;
        AtomicLongArray older = previous;
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            all += newer.get(i) + older.get(i);
        }
        long wanted = (long) Math.ceil(all * share);
        long seen = 0;
        for (int i = 0; i < BUCKETS && all > 0; i++) {
            seen += newer.get(i) + older.get(i);
            if (seen >= wanted) {
                return upperBoundNanos(i) / 1e6;
            }
        }
        return 0;
    }

    private void rotate(long now) {
        long start = windowStartNanos.get();
        if (now - start >= WINDOW_NANOS && windowStartNanos.compareAndSet(start, now)) {
            // After a long silence the window before is not "of late" either.
            previous = now - start < 2 * WINDOW_NANOS ? current : new AtomicLongArray(BUCKETS);
            current = new AtomicLongArray(BUCKETS);
        }
    }

    private static int bucket(long nanos) {
        long value = Math.max(nanos, STEPS);
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int step = (int) (value >>> (power - 3)) & (STEPS - 1);
        return power * STEPS + step;
    }

    private static double upperBoundNanos(int bucket) {
        int power = bucket / STEPS;
        int step = bucket % STEPS;
        return Math.scalb(1.0 + (step + 1) / (double) STEPS, power);
    }
}
