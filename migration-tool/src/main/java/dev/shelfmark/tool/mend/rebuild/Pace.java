package dev.shelfmark.tool.mend.rebuild;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets so many through each second, evenly. Used by one thread. */
final class Pace {

    private final double nanosBetween;
    private double nextAt;

    /** @param perSecond how many, or 0 for no limit */
    Pace(double perSecond) {
        this.nanosBetween = perSecond > 0 ? TimeUnit.SECONDS.toNanos(1) / perSecond : 0;
        this.nextAt = 0;
    }

    private final long startedAt = System.nanoTime();

    /** Waits for the next one's turn. */
    void await() {
        if (nanosBetween == 0) {
            return;
        }
        double now = System.nanoTime() - startedAt;
        nextAt = Math.max(nextAt, now);
        long wait = (long) (nextAt - now);
        while (wait > 0) {
            LockSupport.parkNanos(wait);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            wait = (long) (nextAt - (System.nanoTime() - startedAt));
        }
        nextAt += nanosBetween;
    }
}
