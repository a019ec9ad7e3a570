package dev.shelfmark.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait between attempts: a random part of a limit that doubles with each attempt, so that callers that failed together do not come
 * back together ("full jitter").
 *
 * @param first the limit of the pause after the first attempt; at least a millisecond
 * @param longest no limit is above it
 */
public record Backoff(Duration first, Duration longest) {

    private static final int MOST_DOUBLINGS = 30;

    /** The limit of the pause after an attempt, which are counted from 1. */
    public Duration limit(int attempt) {
        long doubled = first.toNanos();
        for (int i = 1; i < Math.min(attempt, MOST_DOUBLINGS) && doubled < longest.toNanos(); i++) {
            doubled *= 2;
        }
        return Duration.ofNanos(Math.min(doubled, longest.toNanos()));
    }

    /** The pause after an attempt, which are counted from 1: more than nothing, at most {@link #limit}. */
    public Duration pause(int attempt) {
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(limit(attempt).toNanos()) + 1);
    }
}
