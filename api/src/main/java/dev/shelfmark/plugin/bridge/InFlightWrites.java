package dev.shelfmark.plugin.bridge;

import dev.shelfmark.plugin.cluster.ClusterWatch.Acknowledgement;
import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.ClusterState.Truth;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who may write where, and what is under way: permission and account under one lock, so that nothing begins to be written after this broker has
 * acknowledged that it writes no more.
 */
final class InFlightWrites {

    private final Duration lease;
    private final Map<Long, Integer> underWay = new TreeMap<>();
    private Sight sight = new Sight(null, "the store has not been reached yet", 0, System.nanoTime());
    private Acknowledgement acknowledged = Acknowledgement.NOTHING;

    InFlightWrites(Duration lease) {
        this.lease = lease;
    }

    /**
     * The right to write once.
     *
     * @param truth where
     * @param revision of the cluster's record that gives it
     */
    record Permit(Truth truth, long revision) {}

    /** Takes note of what was seen. */
    synchronized void saw(Sight next) {
        sight = next;
    }

    synchronized Sight sight() {
        return sight;
    }

    /** Begins a write, if the last look allows one and is young enough. Whoever gets a permit gives it back. */
    synchronized Optional<Permit> begin() {
        ClusterState state = sight.state();
        if (state == null || state.draining() || state.truth() == Truth.NOWHERE || sight.ageNanos() > lease.toNanos()) {
            return Optional.empty();
        }
        Permit permit = new Permit(state.truth(), sight.revision());
        underWay.merge(permit.revision(), 1, Integer::sum);
        return Optional.of(permit);
    }

    /** A write has ended, well or not. */
    synchronized void end(Permit permit) {
        underWay.computeIfPresent(permit.revision(), (revision, count) -> count == 1 ? null : count - 1);
    }

    /** How many writes are under way. */
    synchronized int underWay() {
        return underWay.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * The last revision that this broker acts on and on none before it: nothing is under way that an earlier one allowed.
     *
     * @param obstacle what else keeps it from acting on what it saw; may be empty
     */
    synchronized Acknowledgement acknowledgement(String obstacle) {
        long earlier = underWay.entrySet().stream()
                .filter(entry -> entry.getKey() < sight.revision())
                .mapToLong(Map.Entry::getValue)
                .sum();
        String waitingFor = earlier > 0 ? earlier + " writes that are under way" : obstacle;
        ClusterState state = sight.state();
        if (state != null && waitingFor.isEmpty()) {
            acknowledged = new Acknowledgement(state, sight.revision(), "");
        } else {
            acknowledged = new Acknowledgement(acknowledged.state(), acknowledged.revision(), waitingFor);
        }
        return acknowledged;
    }
}
