package dev.shelfmark.plugin.writes;

import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.kafka.KafkaExceptions;
import dev.shelfmark.plugin.config.PluginThreads;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.plugin.metrics.RlmmMetrics;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From calls that must not block to writes: a queue for each partition, which one thread at a time empties, so that the order of a
 * partition's calls is kept and everything that waits for it is written in one go. Every future ends by its deadline.
 */
public final class WriteQueues implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WriteQueues.class);
    private static final long AFTER_A_FAILED_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SegmentCatalogue catalogue;
    private final RlmmMetrics metrics;
    private final int maxBatch;
    private final Duration timeout;
    private final Duration closeTimeout;
    private final Map<PartitionKey, Deque<Pending>> queues = new ConcurrentHashMap<>();
    private final Set<Pending> open;
    private final ThreadPoolExecutor writers;
    private final ScheduledThreadPoolExecutor deadlines;
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean accepting = true;

    public WriteQueues(SegmentCatalogue catalogue, int maxBatch, RlmmConfig config, RlmmMetrics metrics) {
        this(catalogue, maxBatch, config, metrics, ConcurrentHashMap.newKeySet());
    }

    /** With a set, for concurrent use, of the calls that are not done. */
    public WriteQueues(
            SegmentCatalogue catalogue, int maxBatch, RlmmConfig config, RlmmMetrics metrics, Set<Pending> open) {
        this.open = open;
        this.metrics = metrics;
        this.catalogue = catalogue;
        this.maxBatch = maxBatch;
        this.timeout = config.duration(RlmmConfig.WRITE_TIMEOUT_MS);
        this.closeTimeout = config.duration(RlmmConfig.CLOSE_TIMEOUT_MS);
        this.writers = new ThreadPoolExecutor(
                config.writeThreads(),
                config.writeThreads(),
                0,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                new PluginThreads(config.brokerId(), "writer"));
        this.deadlines = new ScheduledThreadPoolExecutor(1, new PluginThreads(config.brokerId(), "deadlines"));
        this.deadlines.setRemoveOnCancelPolicy(true);
    }

    /** A call that waits to be written; each is itself, equal to no other. */
    static final class Pending {
        private final PartitionKey key;
        private final String topicName;
        private final MetadataEvent event;
        private final Duration limit;
        private final Deadline deadline;
        private final CompletableFuture<Void> future = new CompletableFuture<>();

        Pending(PartitionKey key, String topicName, MetadataEvent event, Duration limit) {
            this.key = key;
            this.topicName = topicName;
            this.event = event;
            this.limit = limit;
            this.deadline = Deadline.in(limit);
        }

        boolean done() {
            return future.isDone();
        }

        void overdue() {
            fail(
                    "partition " + key + ": not written within " + limit.toMillis() + " ms ("
                            + RlmmConfig.BROKER_PREFIX + RlmmConfig.WRITE_TIMEOUT_MS
                            + ", less for a deletion of a topic); the outcome is unknown, a repeat is safe",
                    null);
        }

        void fail(String message, @Nullable Throwable cause) {
            future.completeExceptionally(KafkaExceptions.notWritten(message, cause));
        }
    }

    /** Queues an event. The future completes when it is durable, and fails when it is refused or the deadline passes. */
    public CompletableFuture<Void> submit(PartitionKey key, String topicName, MetadataEvent event) {
        return submit(key, topicName, event, timeout);
    }

    /** The same, with a limit that may be shorter than the configured one. */
    public CompletableFuture<Void> submit(PartitionKey key, String topicName, MetadataEvent event, Duration limit) {
        Pending pending = new Pending(key, topicName, event, limit);
        open.add(pending);
        CompletableFuture<Void> told = pending.future.whenComplete((done, failure) -> open.remove(pending));
        if (!accepting) {
            // Asked only now: whoever came to be among the open ones before the closing began is ended by it.
            pending.fail("the catalogue is closed", null);
            return told;
        }
        try {
            watch(pending);
            queues.compute(key, (partition, queue) -> {
                if (queue != null) {
                    queue.add(pending);
                    return queue;
                }
                // Nobody is emptying this partition's queue: start.
                writers.execute(() -> drain(key));
                return new ArrayDeque<>(List.of(pending));
            });
        } catch (RejectedExecutionException e) {
            pending.fail("the catalogue is closed", e);
        } catch (RuntimeException | Error e) {
            // Such as a moment without memory: nobody would come to write it.
            pending.fail("not written: " + e, e);
        }
        return told;
    }

    /** One with a shorter limit than the others has a timer of its own: the common one may be set for later. */
    private void watch(Pending pending) {
        if (pending.limit.compareTo(timeout) < 0) {
            Future<?> timer = deadlines.schedule(pending::overdue, pending.limit.toNanos(), TimeUnit.NANOSECONDS);
            CompletableFuture<Void> unused = pending.future.whenComplete((done, failure) -> timer.cancel(false));
        }
        watch(timeout.toNanos());
    }

    /** Has somebody look at the deadlines when the next one passes: one timer for all, since a timer for each costs more than its write. */
    private void watch(long nanos) {
        if (watching.compareAndSet(false, true)) {
            endOverdueIn(nanos);
        }
    }

    private void endOverdueIn(long nanos) {
        try {
            Future<?> unused = deadlines.schedule(this::endOverdue, nanos, TimeUnit.NANOSECONDS);
        } catch (RuntimeException | Error e) {
            // The next call finds nobody watching, and sets a timer of its own.
            watching.set(false);
            throw e;
        }
    }

    private void endOverdue() {
        long next;
        try {
            next = endOverdueAndTellNext();
        } catch (RuntimeException | Error e) {
            // Such as a moment without memory. Without another turn nobody's deadline would count any more.
            endOverdueIn(AFTER_A_FAILED_TURN_NANOS);
            LOG.error("Looking at the deadlines of writes failed unexpectedly, to be tried again", e);
            return;
        }
        if (next < Long.MAX_VALUE) {
            endOverdueIn(Math.max(0, next));
            return;
        }
        watching.set(false);
        if (!open.isEmpty()) {
            // Came in between, and found somebody watching.
            watch(0);
        }
    }

    /** In how many nanoseconds the next one's time is over; the highest number when there is none. */
    private long endOverdueAndTellNext() {
        long next = Long.MAX_VALUE;
        for (Pending pending : open) {
            if (pending.deadline.passed()) {
                pending.overdue();
            } else {
                next = Math.min(next, pending.deadline.nanosLeft());
            }
        }
        return next;
    }

    /** How many calls are not done yet. */
    public int waiting() {
        return open.size();
    }

    /** Writes what waits for a partition, until nothing does or another partition waits for a thread. */
    private void drain(PartitionKey key) {
        try {
            drainUntilEmpty(key);
        } catch (RuntimeException | Error e) {
            // Nobody empties the queue any more: who waits in it is told, and whoever comes next begins anew. It goes
            // before all else: telling of a failure can fail, too, and then nobody could begin.
            Deque<Pending> left = queues.remove(key);
            LOG.error("Partition {}: emptying its queue failed unexpectedly", key, e);
            if (left != null) {
                fail(List.copyOf(left), e);
            }
        }
    }

    private void drainUntilEmpty(PartitionKey key) {
        List<Pending> batch = take(key);
        while (!batch.isEmpty()) {
            try {
                write(key, batch);
            } catch (RuntimeException | Error e) {
                // A bug must neither hang the callers nor leave the queue without a thread.
                LOG.error("Partition {}: writing {} event(s) failed unexpectedly", key, batch.size(), e);
                fail(batch, e);
            }
            if (!writers.getQueue().isEmpty() || writers.isShutdown()) {
                again(key);
                return;
            }
            batch = take(key);
        }
    }

    private void again(PartitionKey key) {
        try {
            writers.execute(() -> drain(key));
        } catch (RejectedExecutionException e) {
            LOG.debug("Partition {}: closing with events left", key, e);
        }
    }

    /** The next of a partition's calls, in order; empty when there is none, and then nobody empties the queue any more. */
    private List<Pending> take(PartitionKey key) {
        List<Pending> batch = new ArrayList<>();
        queues.computeIfPresent(key, (partition, queue) -> {
            while (batch.size() < maxBatch && !queue.isEmpty()) {
                Pending next = queue.poll();
                // Whose caller has been told that it failed is not written late.
                if (!next.done()) {
                    batch.add(next);
                }
            }
            return batch.isEmpty() ? null : queue;
        });
        return batch;
    }

    private void write(PartitionKey key, List<Pending> batch) {
        try {
            List<WriteOutcome> outcomes = catalogue.write(
                    key,
                    batch.get(batch.size() - 1).topicName,
                    batch.stream().map(pending -> pending.event).toList(),
                    batch.get(0).deadline);
            for (int i = 0; i < batch.size(); i++) {
                complete(key, batch.get(i).future, outcomes.get(i));
            }
        } catch (StoreException.Unsupported e) {
            if (batch.size() == 1) {
                fail(batch, e);
            } else {
                // One of them is beyond the store's limits: the others must not fail with it.
                batch.forEach(pending -> write(key, List.of(pending)));
            }
        } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
            failOverdue(key, batch, e);
        } catch (StoreException e) {
            fail(batch, e);
        }
    }

    /** The first one's deadline has passed; the others go back to the front of the queue for as long as they have. */
    private void failOverdue(PartitionKey key, List<Pending> batch, StoreException failure) {
        fail(List.of(batch.get(0)), failure);
        List<Pending> left = batch.subList(1, batch.size());
        queues.computeIfPresent(key, (partition, queue) -> {
            for (int i = left.size() - 1; i >= 0; i--) {
                queue.addFirst(left.get(i));
            }
            return queue;
        });
    }

    private void complete(PartitionKey key, CompletableFuture<Void> future, WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Refused refused) {
            metrics.unapplied("refused");
            LOG.warn("Partition {}: refused: {}", key, refused.reason());
            future.completeExceptionally(KafkaExceptions.refused(refused));
            return;
        }
        if (outcome instanceof WriteOutcome.Ignored ignored) {
            metrics.unapplied("ignored");
            LOG.info("Partition {}: nothing to do: {}", key, ignored.reason());
        }
        future.complete(null);
    }

    private static void fail(List<Pending> batch, Throwable failure) {
        batch.forEach(pending -> pending.fail(
                "the catalogue was not changed, or it is not known whether it was: " + failure.getMessage(), failure));
    }

    /** Takes no more calls, waits a bounded time for those it has, and fails the rest. */
    @Override
    public void close() {
        accepting = false;
        Deadline deadline = Deadline.in(closeTimeout);
        boolean interrupted = false;
        while (!open.isEmpty() && !deadline.passed() && !interrupted) {
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        writers.shutdownNow();
        deadlines.shutdownNow();
        open.forEach(pending -> pending.fail(
                "the catalogue was closed; it is not known whether this was written, a repeat is safe", null));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
