package dev.shelfmark.compat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Which faults are due; shared by all connections of a proxy. */
final class FaultPlan {

    /** A fault of a single request. */
    enum Single {
        CUT_BEFORE,
        SWALLOW_ANSWER
    }

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Single armed;
    private int requestsUntilArmed;
    private boolean happened;
    private boolean holding;
    private Duration delay = Duration.ZERO;

    void arm(Single fault, int requests) {
        change(() -> {
            armed = fault;
            requestsUntilArmed = requests;
            happened = false;
        });
    }

    void hold() {
        change(() -> holding = true);
    }

    void delay(Duration next) {
        change(() -> delay = next);
    }

    void clear() {
        change(() -> {
            armed = null;
            holding = false;
            delay = Duration.ZERO;
        });
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean happened() {
        lock.lock();
        try {
            return happened;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a request; the fault that it is to suffer, if any. */
    @Nullable
    Single requestBegins() {
        lock.lock();
        try {
            if (armed == null || --requestsUntilArmed > 0) {
                return null;
            }
            Single due = armed;
            armed = null;
            happened = true;
            return due;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits out the delay of a request, and the black hole as long as there is one.
     *
     * @return false when it gave up: the limit ran out, or the caller wants no more
     */
    boolean letPass(boolean request, Duration limit, BooleanSupplier givenUp) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        lock.lock();
        try {
            long delayEnd = System.nanoTime() + (request ? delay.toNanos() : 0);
            while (holding || delayEnd - System.nanoTime() > 0) {
                long left = (holding ? end : Math.min(end, delayEnd)) - System.nanoTime();
                if (left <= 0 || givenUp.getAsBoolean()) {
                    return false;
                }
                changed.awaitNanos(Math.min(left, LOOK_AGAIN_NANOS));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
