package dev.shelfmark.plugin.cluster;

import dev.shelfmark.plugin.cluster.ClusterWatch.Acknowledgement;
import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.store.ClusterState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the catalogue may speak for this broker's cluster. Closed until the store was reached and says that the cluster is ready; an unknown
 * cluster is not an empty one.
 */
public final class ClusterGate implements ClusterWatch.Follower {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterGate.class);

    private final String clusterId;
    private final Duration trust;
    private final boolean bridge;
    private final Runnable whenChanged;
    private volatile Sight sight = new Sight(null, "the store has not been reached yet", 0, System.nanoTime());
    private final FailureReasons failures = new FailureReasons();
    private volatile boolean closed;

    /**
     * A gate that is closed until something is seen.
     *
     * @param trust how long an open gate stays open while the store can't be asked
     * @param bridge whether somebody else sees to it that nothing is written while the cluster is draining
     * @param whenChanged what to do when the cluster's record is another: forget what was read before
     */
    public ClusterGate(String clusterId, Duration trust, boolean bridge, Runnable whenChanged) {
        this.clusterId = clusterId;
        this.trust = trust;
        this.bridge = bridge;
        this.whenChanged = whenChanged;
    }

    /** Why the catalogue can't speak now, or empty when it can. Never blocks, never throws. */
    public Optional<String> closedBecause() {
        return closedBecause(System.nanoTime());
    }

    /** The same, for who knows what time it is, by {@link System#nanoTime()}. */
    public Optional<String> closedBecause(long now) {
        Sight seen = sight;
        if (closed) {
            return Optional.of("the plugin is closed");
        }
        if (!opens(seen)) {
            return Optional.of(reason(seen));
        }
        long age = seen.ageNanos(now);
        return age <= trust.toNanos()
                ? Optional.empty()
                : Optional.of("the store was last reached " + TimeUnit.NANOSECONDS.toSeconds(age) + " s ago");
    }

    private boolean opens(Sight seen) {
        ClusterState state = seen.state();
        return state == ClusterState.READY
                || (bridge && state != null && state.truth() == ClusterState.Truth.CATALOGUE);
    }

    private String reason(Sight seen) {
        ClusterState state = seen.state();
        if (state == null) {
            return seen.reason();
        }
        return switch (state) {
            case READY -> "";
            case IMPORTING ->
                "the history of cluster " + clusterId
                        + " is being imported; 'shelfmark state' shows how to make it ready";
            case RESTORING ->
                "the catalogue of cluster " + clusterId
                        + " is being restored; 'shelfmark state' shows how to make it ready";
            case DRAINING_TO_READY ->
                "cluster " + clusterId + " is being moved to the catalogue; 'shelfmark state' shows how to go on";
            case DRAINING_TO_BRIDGED, BRIDGED ->
                "cluster " + clusterId + " goes back to Kafka's metadata topic: give this broker "
                        + RlmmConfig.BROKER_PREFIX + RlmmConfig.MIGRATION_MODE + "=bridge, or Kafka's own manager";
        };
    }

    /** Closes the gate for good. */
    public void close() {
        closed = true;
    }

    @Override
    public void saw(Sight next) {
        Sight before = sight;
        if (next.revision() != before.revision()) {
            whenChanged.run();
        }
        sight = next;
        boolean news = failures.news(before, next);
        if (bridge) {
            return;
        }
        if (opens(next) && !opens(before)) {
            LOG.info("Cluster {}: the catalogue is ready", clusterId);
        } else if (!opens(next) && news) {
            LOG.warn("Cluster {}: the catalogue is not ready: {}", clusterId, reason(next));
        }
    }

    @Override
    public Acknowledgement acknowledgement() {
        Sight seen = sight;
        return new Acknowledgement(seen.state(), seen.state() == null ? 0 : seen.revision(), "");
    }
}
