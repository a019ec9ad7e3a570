package dev.shelfmark.dynamodb.client;

import java.time.Duration;

/** When a call must have ended, on the clock of {@link System#nanoTime}. */
public record Deadline(long nanos) {

    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    /** Never less than a millisecond: the SDK takes no shorter limit. */
    public Duration left(Duration atMost) {
        Duration left = Duration.ofNanos(nanos - System.nanoTime());
        Duration shorter = left.compareTo(atMost) < 0 ? left : atMost;
        return shorter.toMillis() < 1 ? Duration.ofMillis(1) : shorter;
    }

    boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }
}
