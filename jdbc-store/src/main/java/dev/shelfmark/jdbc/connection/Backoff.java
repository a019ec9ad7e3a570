package dev.shelfmark.jdbc.connection;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How often a request that left nothing behind is repeated, and with what pauses: a random part of a doubling limit. */
public record Backoff(int attempts, Duration first) {

    public static final Backoff DEFAULT = new Backoff(5, Duration.ofMillis(20));

    /**
     * Waits before the next attempt.
     *
     * @param attempt the one that failed, from 1
     * @return false when there is no next attempt: they are used up, or the thread was interrupted, whose flag is then set
     */
    boolean pause(int attempt) {
        if (attempt >= attempts) {
            return false;
        }
        long limit = first.toMillis() << (attempt - 1);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(limit + 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
