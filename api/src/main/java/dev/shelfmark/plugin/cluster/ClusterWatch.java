package dev.shelfmark.plugin.cluster;

import dev.shelfmark.plugin.config.PluginThreads;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster's record again and again, on one thread of its own, so that nobody waits for it and a store that comes up late is found; and
 * writes this broker's heartbeat.
 */
public final class ClusterWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final Duration WHILE_CLOSED = Duration.ofSeconds(1);
    private static final Duration BEAT_OF_A_BROKER_ON_ITS_CATALOGUE = Duration.ofSeconds(60);

    private final CatalogueStore store;
    private final String clusterId;
    private final int brokerId;
    private final boolean bridge;
    private final Duration poll;
    private final Duration lease;
    private final RegressionGuard guard;
    private volatile @Nullable Follower follower;
    private final String incarnation = UUID.randomUUID().toString();
    private final String version;
    private final ScheduledExecutorService thread;
    private final Object lock = new Object();
    private @Nullable CompletableFuture<Sight> asked;
    private boolean verified;
    private long beats;
    private long lastBeatNanos;
    private Acknowledgement lastAcknowledged = Acknowledgement.NOTHING;
    private boolean beatFailed;
    private boolean outageTold;
    private boolean failureTold;
    private volatile @Nullable String failure;
    private volatile Sight sight = new Sight(null, "the store has not been reached yet", 0, System.nanoTime());

    /**
     * A watch that sees nothing until it is started, but connects at once: the rest of the plugin is put together meanwhile.
     *
     * @param lease for how long this broker acts on what it saw, told in its heartbeat
     */
    public ClusterWatch(CatalogueStore store, RlmmConfig config, Duration lease) {
        this.store = store;
        this.clusterId = config.clusterId();
        this.brokerId = config.brokerId();
        this.bridge = config.bridge();
        this.poll = config.clusterStatePoll();
        this.lease = lease;
        this.guard = new RegressionGuard(clusterId, brokerId, config.stateDirectory());
        this.version = Optional.ofNullable(ClusterWatch.class.getPackage().getImplementationVersion())
                .orElse("(unpackaged build)");
        this.thread = Executors.newSingleThreadScheduledExecutor(new PluginThreads(brokerId, "watch"));
        thread.execute(this::connect);
    }

    private void connect() {
        try {
            store.verify();
            verified = true;
        } catch (RuntimeException | Error e) {
            // The first look does it again, and tells.
            LOG.debug("Cluster {}: the store can't be reached yet", clusterId, e);
        }
    }

    /**
     * What was seen of the cluster's record.
     *
     * @param state its state; null while that is not known
     * @param reason why the state is not known
     * @param revision its revision, or 0
     * @param seenAtNanos when the look at it began, so that it is no younger than it says
     */
    public record Sight(@Nullable ClusterState state, String reason, long revision, long seenAtNanos) {

        /** How long ago, in nanoseconds. */
        public long ageNanos() {
            return ageNanos(System.nanoTime());
        }

        /** How long before a moment, in nanoseconds. */
        long ageNanos(long now) {
            return now - seenAtNanos;
        }
    }

    /**
     * What this broker acts on.
     *
     * @param state null before it acts on any
     * @param revision of the cluster's record, or 0
     * @param waitingFor what keeps it from a later one; may be empty
     */
    public record Acknowledgement(@Nullable ClusterState state, long revision, String waitingFor) {
        public static final Acknowledgement NOTHING = new Acknowledgement(null, 0, "");
    }

    /** Is told what was seen, on the watch's thread. */
    public interface Follower {
        /** A look told this; most tell the same as the one before. */
        void saw(Sight sight);

        /** What may be told to the world that this broker acts on. */
        Acknowledgement acknowledgement();
    }

    /** What was last seen. */
    public Sight sight() {
        return sight;
    }

    /** Why the last look failed; empty when it did not, or there was none. */
    public Optional<String> failing() {
        return Optional.ofNullable(failure);
    }

    /** Begins to look, and tells a follower. */
    public void start(Follower told) {
        follower = told;
        thread.execute(this::pollAgain);
    }

    private void pollAgain() {
        try {
            look();
        } catch (StoreException e) {
            LOG.debug("Cluster {}: its state can't be read", clusterId, e);
        } finally {
            pollLater();
        }
    }

    private void pollLater() {
        boolean known = failure == null && (sight.state() == ClusterState.READY || (bridge && sight.state() != null));
        Duration next = known || poll.compareTo(WHILE_CLOSED) < 0 ? poll : WHILE_CLOSED;
        // Jittered, so that brokers that were started together do not ask together for ever.
        long nanos = (long) (next.toNanos() * ThreadLocalRandom.current().nextDouble(0.8, 1.0));
        try {
            Future<?> unused = thread.schedule(this::pollAgain, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Cluster {}: the watch is closed", clusterId, e);
        }
    }

    /**
     * A look that begins after this call. Whoever asks while one is under way shares the next.
     *
     * @return fails with a {@link StoreException} when the store can't tell
     */
    public CompletableFuture<Sight> lookAgain() {
        synchronized (lock) {
            CompletableFuture<Sight> next = asked;
            if (next == null) {
                next = new CompletableFuture<>();
                try {
                    thread.execute(this::lookForThoseWhoAsked);
                } catch (RejectedExecutionException e) {
                    return CompletableFuture.failedFuture(new StoreException.Unavailable("the plugin is closed", e));
                }
                asked = next;
            }
            return next;
        }
    }

    private void lookForThoseWhoAsked() {
        CompletableFuture<Sight> answer;
        synchronized (lock) {
            answer = asked;
            asked = null;
        }
        if (answer == null) {
            return;
        }
        try {
            answer.complete(look());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private Sight look() {
        Follower follower = Objects.requireNonNull(this.follower, "the watch is not started");
        long began = System.nanoTime();
        try {
            if (!verified) {
                store.verify();
                verified = true;
            }
            Sight next = sightOf(store.cluster(clusterId).orElse(null), began);
            failureTold = false;
            failure = null;
            if (outageTold) {
                outageTold = false;
                LOG.info("Cluster {}: the store can be reached again", clusterId);
            }
            follower.saw(next);
            beat(follower);
            sight = next;
            count(next);
            return next;
        } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
            failure = String.valueOf(e.getMessage());
            unreachable(follower, String.valueOf(e.getMessage()));
            throw e;
        } catch (StoreException e) {
            verified = false;
            failure = String.valueOf(e.getMessage());
            unknown(follower, String.valueOf(e.getMessage()), began);
            throw e;
        } catch (RuntimeException | Error e) {
            // Whatever it is, the watch must go on, and whoever waits for a look must hear of its end.
            if (!failureTold) {
                failureTold = true;
                LOG.error(
                        "Cluster {}: reading its state failed unexpectedly, told once for as long as that lasts",
                        clusterId,
                        e);
            }
            failure = e.toString();
            unreachable(follower, e.toString());
            throw new StoreException.Unavailable("reading the state of cluster " + clusterId + " failed: " + e, e);
        }
    }

    private Sight sightOf(@Nullable ClusterRecord cluster, long began) {
        Optional<String> regression = guard.check(store, cluster);
        if (regression.isPresent()) {
            return new Sight(null, regression.get(), 0, began);
        }
        return cluster == null
                ? new Sight(
                        null,
                        "cluster " + clusterId
                                + " is unknown to it, which is not the same as empty; run 'shelfmark init' for a"
                                + " new cluster, 'shelfmark import' for one that has tiered data",
                        0,
                        began)
                : new Sight(cluster.state(), "", cluster.revision(), began);
    }

    /** Something was committed, which the counter that shows whether the database went back is to tell. Any thread. */
    public void committed() {
        guard.committed();
    }

    private void count(Sight seen) {
        if (seen.state() == null) {
            return;
        }
        try {
            guard.count(store);
        } catch (StoreException e) {
            // The next look tries again; whoever asked for this one has an answer.
            LOG.debug("Cluster {}: this broker's counter can't be raised yet", clusterId, e);
        }
    }

    private void unknown(Follower follower, String reason, long began) {
        Sight next = new Sight(null, reason, sight.revision(), began);
        follower.saw(next);
        sight = next;
    }

    /** What was known stays known, for as long as it is trusted. */
    private void unreachable(Follower follower, String reason) {
        Sight before = sight;
        if (before.state() == null) {
            unknown(follower, reason, before.seenAtNanos());
        } else if (!outageTold && before.ageNanos() > 2 * poll.toNanos()) {
            outageTold = true;
            LOG.warn(
                    "Cluster {}: the store can't be reached, told once for as long as that lasts: {}",
                    clusterId,
                    reason);
        }
    }

    private void beat(Follower follower) {
        Acknowledgement acknowledgement = follower.acknowledgement();
        if (!bridge && (acknowledgement.revision() == 0 || acknowledgement.revision() != sight.revision())) {
            // Nobody waits for a broker without a bridge: it tells what it has acted on for a while.
            return;
        }
        // Half of a poll: they are jittered, and one that comes a little early must not miss its turn.
        Duration every = bridge ? poll.dividedBy(2) : BEAT_OF_A_BROKER_ON_ITS_CATALOGUE;
        boolean due = beats == 0 || System.nanoTime() - lastBeatNanos > every.toNanos();
        if (!due && acknowledgement.equals(lastAcknowledged)) {
            return;
        }
        try {
            store.heartbeat(new BrokerHeartbeat(
                    clusterId,
                    brokerId,
                    incarnation,
                    beats + 1,
                    bridge ? BrokerHeartbeat.Mode.BRIDGE : BrokerHeartbeat.Mode.CATALOGUE,
                    version,
                    acknowledgement.state(),
                    acknowledgement.revision(),
                    lease,
                    Instant.now(),
                    acknowledgement.waitingFor()));
            beats++;
            lastAcknowledged = acknowledgement;
            beatFailed = false;
        } catch (RuntimeException | Error e) {
            // Whatever it is, what was seen of the cluster is seen. Nobody is answered wrongly for it: 'shelfmark
            // ready' and 'shelfmark rollback' wait for heartbeats that come.
            if (!beatFailed) {
                beatFailed = true;
                LOG.warn(
                        "Cluster {}: this broker's heartbeat can't be written ('shelfmark upgrade-schema' makes its place and"
                                + " grants the right): {}",
                        clusterId,
                        e instanceof StoreException ? e.getMessage() : e.toString());
            }
        }
        lastBeatNanos = System.nanoTime();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        CompletableFuture<Sight> unanswered;
        synchronized (lock) {
            unanswered = asked;
            asked = null;
        }
        if (unanswered != null) {
            unanswered.completeExceptionally(new StoreException.Unavailable("the plugin is closed", null));
        }
    }
}
