package dev.shelfmark.retry;

import java.time.Duration;

/** A point in time after which nobody waits any more, on the clock of {@link System#nanoTime}. */
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

    /** How long is left, but no more than this and no less than a millisecond: drivers take no shorter limit. */
    public Duration left(Duration atMost) {
        long millis = Math.min(nanosLeft() / 1_000_000, atMost.toMillis());
        return Duration.ofMillis(Math.max(1, millis));
    }

    /** Whether it has passed. */
    public boolean passed() {
        return nanosLeft() <= 0;
    }
}
