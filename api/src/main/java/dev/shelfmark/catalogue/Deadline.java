package dev.shelfmark.catalogue;

import java.time.Duration;

/** A point in time after which nobody waits any more. */
public final class Deadline {

    private final long atNanos;

    private Deadline(long atNanos) {
        this.atNanos = atNanos;
    }

    /** So long from now. */
    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    /** How long is left; negative when it has passed. */
    public long nanosLeft() {
        return atNanos - System.nanoTime();
    }

    /** Whether it has passed. */
    public boolean passed() {
        return nanosLeft() <= 0;
    }
}
