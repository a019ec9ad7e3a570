package dev.shelfmark.tool.kafka;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How long a call to brokers may take beside the client's own limits: until a deadline, when somebody waits for what it is part of. */
final class CallLimit {

    /** What is asked just before the deadline, or to tell what is missing at it, must not fail for that alone. */
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final KafkaConnection connection;
    private @Nullable Deadline deadline;

    CallLimit(KafkaConnection connection) {
        this.connection = connection;
    }

    void endBy(Deadline end) {
        deadline = end;
    }

    private long nanosLeft() {
        return deadline == null ? Long.MAX_VALUE : Math.max(LEAST_NANOS, deadline.nanosLeft());
    }

    /** The same in the unit of Kafka's settings, at most so much. */
    long millisLeft(long most) {
        return Math.min(most, TimeUnit.NANOSECONDS.toMillis(nanosLeft()));
    }

    /** Waits for an answer. */
    <T> T get(String action, Future<T> answer) {
        try {
            return answer.get(nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw BrokerErrors.translate(connection, action, e);
        } catch (TimeoutException e) {
            // As when Kafka's client gives up by itself.
            throw BrokerErrors.translate(connection, action, new org.apache.kafka.common.errors.TimeoutException(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.kafka("interrupted while it tried to " + action, e);
        }
    }
}
