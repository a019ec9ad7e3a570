package dev.shelfmark.plugin.bridge;

import dev.shelfmark.kafka.KafkaExceptions;
import dev.shelfmark.plugin.MetadataService;
import dev.shelfmark.plugin.bridge.InFlightWrites.Permit;
import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.plugin.config.PluginThreads;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.plugin.metrics.RlmmMetrics;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.ClusterState.Truth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each report to where the truth is, and tells its caller "done" only when a look at the cluster's record that began after the write says
 * that the truth is still there. If it has moved meanwhile, the same report is written to where it is now, and that is confirmed in the same way.
 * So it does not matter how long a thread slept between its permit and its write.
 *
 * <p>One thread decides and sends, in the order of the calls; answers come back to it. What can't be sent now waits, until its deadline.
 */
final class BridgedWrites implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BridgedWrites.class);
    private static final long RETRY_MS = 200;

    private final InFlightWrites permits;
    private final Supplier<CompletableFuture<Sight>> lookAgain;
    private final TopicManager topic;
    private final MetadataService catalogue;
    private final RlmmMetrics metrics;
    private final Duration wait;
    private final ScheduledThreadPoolExecutor thread;
    private final ScheduledThreadPoolExecutor deadlines;
    private final Set<Pending> open = ConcurrentHashMap.newKeySet();

    /** Not sent yet; of this class's thread, as is what follows. */
    private final Deque<Pending> held = new ArrayDeque<>();

    /** Written, but nobody could tell yet whether that is where the truth is. */
    private final List<Pending> unconfirmed = new ArrayList<>();

    private boolean retrying;

    BridgedWrites(
            RlmmConfig config,
            InFlightWrites permits,
            Supplier<CompletableFuture<Sight>> lookAgain,
            TopicManager topic,
            MetadataService catalogue,
            RlmmMetrics metrics) {
        this.permits = permits;
        this.lookAgain = lookAgain;
        this.topic = topic;
        this.catalogue = catalogue;
        this.metrics = metrics;
        this.wait = config.duration(RlmmConfig.MIGRATION_WRITE_WAIT_MS);
        this.thread = new ScheduledThreadPoolExecutor(1, new PluginThreads(config.brokerId(), "bridge"));
        // Not the sender's: Kafka's producer may keep that one waiting.
        this.deadlines = new ScheduledThreadPoolExecutor(1, new PluginThreads(config.brokerId(), "bridge-deadlines"));
        this.deadlines.setRemoveOnCancelPolicy(true);
    }

    /** A report that is not done; each is itself, equal to no other. */
    private static final class Pending {
        private final BridgedWrite report;
        private final Duration limit;
        private final CompletableFuture<Void> future = new CompletableFuture<>();
        private @Nullable Truth written;

        Pending(BridgedWrite report, Duration limit) {
            this.report = report;
            this.limit = limit;
        }

        void fail(String why, @Nullable Throwable cause) {
            future.completeExceptionally(KafkaExceptions.notWritten(report + ": " + why, cause));
        }
    }

    /** Queues a report. The future completes when it is where the truth is, and fails when it is refused or its deadline passes. */
    CompletableFuture<Void> submit(BridgedWrite report) {
        return submit(report, wait);
    }

    /** The same, with a limit that may be shorter than the configured one. */
    CompletableFuture<Void> submit(BridgedWrite report, Duration limit) {
        Pending pending = new Pending(report, limit);
        open.add(pending);
        Future<?> timer = null;
        try {
            timer = deadlines.schedule(() -> overdue(pending), limit.toMillis(), TimeUnit.MILLISECONDS);
            thread.execute(() -> {
                held.add(pending);
                send();
            });
        } catch (RejectedExecutionException e) {
            pending.fail("the plugin is closed", e);
        } catch (RuntimeException | Error e) {
            // Such as a moment without memory: thrown at Kafka's task, it would end that for good.
            pending.fail("not written, or it is not known whether it was: " + e, e);
        }
        Future<?> deadline = timer;
        return pending.future.whenComplete((done, failure) -> {
            open.remove(pending);
            if (deadline != null) {
                deadline.cancel(false);
            }
        });
    }

    private void overdue(Pending pending) {
        try {
            failOverdue(pending);
        } catch (RuntimeException | Error e) {
            // Such as a moment without memory. Nobody else would end it.
            Future<?> unused = deadlines.schedule(() -> overdue(pending), RETRY_MS, TimeUnit.MILLISECONDS);
            LOG.error("A report whose time is over can't be failed, to be tried again", e);
        }
    }

    private void failOverdue(Pending pending) {
        Sight sight = permits.sight();
        ClusterState state = sight.state();
        String why = state == null
                ? "the cluster's state is not known: " + sight.reason()
                : "the cluster is " + state + " since revision " + sight.revision()
                        + (state.draining() ? "; 'shelfmark state' tells how to end that" : "");
        pending.fail(
                "not written within " + pending.limit.toMillis() + " ms (" + RlmmConfig.BROKER_PREFIX
                        + RlmmConfig.MIGRATION_WRITE_WAIT_MS + "): " + why
                        + ". The outcome is unknown, a repeat is safe",
                null);
    }

    /** How many reports are not done. */
    int waiting() {
        return open.size();
    }

    /** After a look: what waits may go on. */
    void saw(Sight sight) {
        run(() -> {
            List<Pending> again = List.copyOf(unconfirmed);
            unconfirmed.clear();
            // Each was put there after a look that began after its write; this look began later still.
            again.forEach(pending -> judge(pending, sight));
            send();
        });
    }

    /** Sends what may be sent; a partition's reports keep their order, and one that must wait holds up no other. */
    private void send() {
        Set<TopicIdPartition> waiting = new HashSet<>();
        for (Iterator<Pending> each = held.iterator(); each.hasNext(); ) {
            Pending next = each.next();
            if (next.future.isDone()) {
                each.remove();
            } else if (!waiting.contains(next.report.partition())) {
                Optional<Permit> permit = permits.begin();
                if (permit.isEmpty()) {
                    return;
                } else if (send(next, permit.get())) {
                    each.remove();
                } else {
                    waiting.add(next.report.partition());
                }
            }
        }
    }

    /** Whether it is out of the queue: sent, or failed. */
    private boolean send(Pending pending, Permit permit) {
        CompletableFuture<Void> answer;
        try {
            if (permit.truth() == Truth.TOPIC) {
                Optional<RemoteLogMetadataManager> manager = topic.current();
                // One that has not read the partition yet would write, and then fail because it can't see what it
                // wrote.
                if (manager.isEmpty() || !manager.get().isReady(pending.report.partition())) {
                    return notNow(permit);
                }
                answer = pending.report.toTopic(manager.get());
            } else {
                answer = pending.report.toCatalogue(catalogue);
            }
        } catch (IllegalStateException notStarted) {
            // Kafka's manager is starting or closing: it has sent nothing.
            LOG.debug("{}: not sent yet", pending.report, notStarted);
            return notNow(permit);
        } catch (RemoteStorageException | RuntimeException | Error e) {
            // Also an error: a permit that is kept would hold up the next switch for good.
            permits.end(permit);
            pending.fail("not written: " + e.getMessage(), e);
            return true;
        }
        CompletableFuture<Void> unused = answer.whenComplete((done, failure) -> {
            permits.end(permit);
            run(() -> answered(pending, permit.truth(), failure));
        });
        return true;
    }

    private boolean notNow(Permit permit) {
        permits.end(permit);
        if (!retrying) {
            retrying = true;
            try {
                Future<?> unused = thread.schedule(
                        () -> {
                            retrying = false;
                            send();
                        },
                        RETRY_MS,
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("Closing with reports left", e);
            }
        }
        return false;
    }

    private void answered(Pending pending, Truth where, @Nullable Throwable failure) {
        if (failure != null) {
            pending.fail("not written, or it is not known whether it was: " + failure.getMessage(), failure);
            return;
        }
        pending.written = where;
        CompletableFuture<Sight> unused = lookAgain
                .get()
                .whenComplete((sight, unknown) -> run(() -> {
                    if (unknown != null) {
                        unconfirmed.add(pending);
                    } else {
                        judge(pending, sight);
                    }
                }));
    }

    /** Given a look that began after the report was written. */
    private void judge(Pending pending, Sight sight) {
        if (pending.future.isDone()) {
            return;
        }
        ClusterState state = sight.state();
        if (state == null || state.draining() || state.truth() == Truth.NOWHERE) {
            unconfirmed.add(pending);
        } else if (state.truth() == pending.written) {
            pending.future.complete(null);
        } else {
            metrics.happened(
                    "bridge-writes-carried-over-total",
                    "reports that were written before a switch, found out after it, and written again to where the truth is");
            LOG.info(
                    "{} was written to the {} before the cluster was {} (revision {}): writing it to the {} too",
                    pending.report,
                    pending.written,
                    state,
                    sight.revision(),
                    state.truth());
            held.add(pending);
            send();
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closing with reports left", e);
        }
    }

    /** Takes no more, and fails what is not done. */
    @Override
    public void close() {
        thread.shutdownNow();
        deadlines.shutdownNow();
        open.forEach(pending -> pending.fail(
                "the plugin was closed; it is not known whether this was written, a repeat is safe", null));
    }
}
