package dev.shelfmark.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a broker says of itself. Each broker has one such record a cluster, and only the broker writes it.
 *
 * @param clusterId its cluster
 * @param brokerId Kafka's id of it
 * @param incarnation which start of its process, so that two under one id can be told apart
 * @param beats how many it has written since its start: whether it lives shows in two looks, without any clock
 * @param mode how it uses the catalogue
 * @param version of the plugin
 * @param acknowledged the cluster's state that it acts on: it has nothing under way that an earlier state allowed; null before the first
 * @param acknowledgedRevision the revision of the cluster's record that it acts on, or 0
 * @param lease for how long after it last read the cluster's record it may go on acting on it
 * @param at when it was written, by the broker's clock, for people
 * @param waitingFor what keeps it from acknowledging a later state, for people; may be empty
 */
public record BrokerHeartbeat(
        String clusterId,
        int brokerId,
        String incarnation,
        long beats,
        Mode mode,
        String version,
        @Nullable ClusterState acknowledged,
        long acknowledgedRevision,
        Duration lease,
        Instant at,
        String waitingFor) {

    public BrokerHeartbeat {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(at, "at");
        if ((acknowledged == null) != (acknowledgedRevision == 0)) {
            throw new IllegalArgumentException("state " + acknowledged + " of revision " + acknowledgedRevision);
        }
    }

    /** How a broker uses the catalogue. */
    public enum Mode {
        /** It answers from the catalogue, or not at all. */
        CATALOGUE,
        /** It answers from Kafka's topic or from the catalogue, as the cluster's state says. */
        BRIDGE
    }
}
