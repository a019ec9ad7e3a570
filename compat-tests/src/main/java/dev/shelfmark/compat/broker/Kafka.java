package dev.shelfmark.compat.broker;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for what Kafka's clients answer, never for ever. */
final class Kafka {

    static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

    private Kafka() {}

    /** The answer; a failure names what was asked for. */
    static <T> T answer(Future<T> future, String question) {
        try {
            return future.get(ANSWER_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(question + " failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(question + ": no answer within " + ANSWER_LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(question + ": interrupted", e);
        }
    }
}
