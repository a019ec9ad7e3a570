package dev.shelfmark.dynamodb.client;

import dev.shelfmark.retry.Backoff;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Sends requests, repeats what is worth repeating within bounds and with growing, jittered pauses, and turns what remains into
 * the SPI's failures.
 */
public final class Requests implements AutoCloseable {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(40), Duration.ofSeconds(1));

    private final DynamoDbClients clients;
    private final Duration requestTimeout;
    private final int maxAttempts;
    private final FailureMessages messages;
    private final StoreListener listener;
    private final CountDownLatch closed = new CountDownLatch(1);

    public Requests(DynamoDbClients clients, DynamoDbStoreConfig config, StoreListener listener) {
        this.clients = clients;
        this.requestTimeout = config.duration(DynamoDbStoreConfig.REQUEST_TIMEOUT);
        this.maxAttempts = config.number(DynamoDbStoreConfig.MAX_ATTEMPTS);
        this.messages = new FailureMessages(config.table(), config.region());
        this.listener = listener;
    }

    /** One attempt at a request. */
    @FunctionalInterface
    public interface Attempt<R> {
        /**
         * Sends it once.
         *
         * @param limits must be given to the request
         * @param mayBeApplied whether an earlier attempt at the same request may have been applied
         */
        public Answer<R> send(
                DynamoDbClient client, Consumer<AwsRequestOverrideConfiguration.Builder> limits, boolean mayBeApplied);
    }

    /** What came back, how many items that were, and what it cost. */
    public record Answer<R>(R value, long rows, double readUnits, double writeUnits) {
        public Answer(R value) {
            this(value, 0, 0, 0);
        }
    }

    public <R> R send(Call call, Attempt<R> attempt) {
        boolean mayBeApplied = false;
        for (int attempts = 1; ; attempts++) {
            ensureSendable(call, mayBeApplied);
            long start = System.nanoTime();
            Failure failure;
            RuntimeException thrown;
            try {
                return once(call, attempt, mayBeApplied, start);
            } catch (SdkException | IllegalStateException | RejectedExecutionException e) {
                // The latter two are what the SDK throws when it is closed under a call.
                listener.requested(call.operation(), 0, System.nanoTime() - start);
                failure = Failure.of(e);
                thrown = e;
            }
            if (failure.kind() == Failure.Kind.INTERRUPTED) {
                Thread.currentThread().interrupt();
            }
            mayBeApplied |= call.changes()
                    && (failure.kind() == Failure.Kind.UNCLEAR || failure.kind() == Failure.Kind.INTERRUPTED);
            if (!failure.worthRepeating() || attempts >= maxAttempts || !pause(call.deadline(), attempts)) {
                throw messages.exception(call, failure, mayBeApplied, attempts, thrown, this::tableStatus);
            }
            listener.retried(call.operation(), failure.code());
        }
    }

    private <R> R once(Call call, Attempt<R> attempt, boolean mayBeApplied, long start) {
        Duration limit = call.deadline().left(requestTimeout);
        Answer<R> answer =
                clients.call(client -> attempt.send(client, limits -> limits.apiCallTimeout(limit), mayBeApplied));
        listener.requested(call.operation(), answer.rows(), System.nanoTime() - start);
        if (answer.readUnits() > 0 || answer.writeUnits() > 0) {
            listener.consumed(call.operation(), answer.readUnits(), answer.writeUnits());
        }
        return answer.value();
    }

    /** For calls that need no request. */
    public void ensureOpen(String about) {
        if (closed.getCount() == 0) {
            throw new StoreException.Unavailable(about + ": the store is closed", null);
        }
    }

    private void ensureSendable(Call call, boolean mayBeApplied) {
        if (closed.getCount() == 0) {
            throw messages.notSent(call, mayBeApplied, "the store is closed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw messages.notSent(call, mayBeApplied, "the thread is interrupted");
        }
        if (call.deadline().passed()) {
            throw messages.notSent(call, mayBeApplied, "the time for it ran out");
        }
    }

    /** Waits before the next attempt; false when there is no time for one, or no wish. */
    public boolean pause(Deadline deadline, int attempts) {
        Duration pause = BACKOFF.pause(attempts);
        return deadline.nanosLeft() >= pause.toNanos() && !waitUnlessClosed(pause);
    }

    /** Waits; true when it was cut short because the store closes or the thread was interrupted. */
    public boolean waitUnlessClosed(Duration pause) {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private String tableStatus(Call call) {
        return clients.call(client -> client.describeTable(request -> request.tableName(messages.table())
                        .overrideConfiguration(
                                limits -> limits.apiCallTimeout(call.deadline().left(requestTimeout))))
                .table()
                .tableStatusAsString());
    }

    @Override
    public void close() {
        closed.countDown();
        clients.close();
    }
}
