package dev.shelfmark.plugin;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the catalogue may speak for this broker's cluster. Closed until the store was reached and says that the cluster is ready; an unknown
 * cluster is not an empty one. Asks again and again in the background, so that nobody waits for it and a store that comes up late is found.
 */
final class ClusterGate {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterGate.class);
    private static final Duration WHILE_CLOSED = Duration.ofSeconds(1);

    private final CatalogueStore store;
    private final String clusterId;
    private final Duration poll;
    private final Duration trust;
    private final Runnable whenChanged;
    private boolean verified;
    private volatile Sight sight = new Sight(false, "the store has not been reached yet", 0, System.nanoTime());
    private volatile boolean closed;

    /**
     * A gate that stays closed until it is started.
     *
     * @param trust how long an open gate stays open while the store can't be asked
     * @param whenChanged what to do when the cluster's record is another: forget what was read before
     */
    ClusterGate(CatalogueStore store, RlmmConfig config, Duration trust, Runnable whenChanged) {
        this.store = store;
        this.clusterId = config.clusterId();
        this.poll = config.duration(RlmmConfig.CLUSTER_STATE_POLL_MS);
        this.trust = trust;
        this.whenChanged = whenChanged;
    }

    /** What was last seen of the cluster's record. */
    private record Sight(boolean ready, String reason, long revision, long seenAtNanos) {}

    /** Why the catalogue can't speak now, or empty when it can. Never blocks, never throws. */
    Optional<String> closedBecause() {
        Sight seen = sight;
        if (closed) {
            return Optional.of("the plugin is closed");
        }
        if (!seen.ready()) {
            return Optional.of(seen.reason());
        }
        long age = System.nanoTime() - seen.seenAtNanos();
        return age <= trust.plus(poll).toNanos()
                ? Optional.empty()
                : Optional.of("the store was last reached " + TimeUnit.NANOSECONDS.toSeconds(age) + " s ago");
    }

    /** Begins to ask. */
    void start(ScheduledExecutorService background) {
        background.execute(() -> ask(background));
    }

    /** Closes the gate for good. */
    void close() {
        closed = true;
    }

    private void ask(ScheduledExecutorService background) {
        if (closed) {
            return;
        }
        try {
            look();
        } catch (RuntimeException e) {
            // Whatever it is, the gate must go on asking.
            unreachable(e.toString());
            LOG.error("Cluster {}: reading its state failed unexpectedly", clusterId, e);
        }
        Duration next = sight.ready() || poll.compareTo(WHILE_CLOSED) < 0 ? poll : WHILE_CLOSED;
        // Jittered, so that brokers that were started together do not ask together for ever.
        long nanos = (long) (next.toNanos() * ThreadLocalRandom.current().nextDouble(0.8, 1.0));
        if (!closed && !background.isShutdown()) {
            Future<?> unused = background.schedule(() -> ask(background), nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        long began = System.nanoTime();
        try {
            if (!verified) {
                store.verify();
                verified = true;
            }
            Optional<ClusterRecord> found = store.cluster(clusterId);
            seen(found.map(cluster -> sightOf(cluster, began))
                    .orElseGet(() -> new Sight(
                            false,
                            "cluster " + clusterId
                                    + " is unknown to it, which is not the same as empty; run 'shelfmark init' for a"
                                    + " new cluster, 'shelfmark import' for one that has tiered data",
                            0,
                            began)));
        } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
            unreachable(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            verified = false;
            seen(new Sight(false, String.valueOf(e.getMessage()), sight.revision(), began));
        }
    }

    private static Sight sightOf(ClusterRecord cluster, long began) {
        String reason = switch (cluster.state()) {
            case READY -> "";
            case IMPORTING ->
                "the history of cluster " + cluster.clusterId()
                        + " is being imported; 'shelfmark state' shows how to make it ready";
            case RESTORING ->
                "the catalogue of cluster " + cluster.clusterId()
                        + " is being restored; 'shelfmark state' shows how to make it ready";
        };
        return new Sight(cluster.state() == ClusterState.READY, reason, cluster.revision(), began);
    }

    private void seen(Sight next) {
        Sight before = sight;
        if (next.revision() != before.revision()) {
            whenChanged.run();
        }
        sight = next;
        if (next.ready() && !before.ready()) {
            LOG.info("Cluster {}: the catalogue is ready", clusterId);
        } else if (!next.ready() && !next.reason().equals(before.reason())) {
            LOG.warn("Cluster {}: the catalogue is not ready: {}", clusterId, next.reason());
        }
    }

    /** What was known stays known, for as long as it is trusted. */
    private void unreachable(String reason) {
        Sight before = sight;
        if (!before.ready()) {
            seen(new Sight(false, reason, before.revision(), before.seenAtNanos()));
        } else if (System.nanoTime() - before.seenAtNanos() > 2 * poll.toNanos()) {
            LOG.warn("Cluster {}: the store can't be reached: {}", clusterId, reason);
        }
    }
}
