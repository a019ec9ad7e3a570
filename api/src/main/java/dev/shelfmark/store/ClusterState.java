package dev.shelfmark.store;

/**
 * Whether the catalogue may speak for a Kafka cluster, and during a migration from or back to Kafka's own metadata topic, which of the two
 * does. The one place where the meaning of a state stands.
 *
 * <p>Brokers in bridge mode follow {@link #truth}; brokers without it are answered in {@link #READY} and in no other state.
 *
 * <pre>
 *            ready                        bridged
 * IMPORTING ──────▶ DRAINING_TO_READY ──▶ READY ──────▶ DRAINING_TO_BRIDGED ──▶ BRIDGED
 *     ◀──── given up ───┘                   ◀──── given up ───┘
 * </pre>
 */
public enum ClusterState {
    /** History is being brought in: the catalogue is not complete. */
    IMPORTING(Truth.TOPIC, false),
    /** The topic takes no writes any more, the last of them are brought in: reads are the topic's, writes wait. */
    DRAINING_TO_READY(Truth.TOPIC, true),
    /** The catalogue is the truth: brokers are answered. */
    READY(Truth.CATALOGUE, false),
    /** The catalogue takes no writes any more, the last of them are written to the topic: reads are the catalogue's, writes wait. */
    DRAINING_TO_BRIDGED(Truth.CATALOGUE, true),
    /** The topic is the truth again; the catalogue is what was before. */
    BRIDGED(Truth.TOPIC, false),
    /** A backup is being restored and reconciled: brokers must not be answered. */
    RESTORING(Truth.NOWHERE, false);

    private final Truth truth;
    private final boolean draining;

    ClusterState(Truth truth, boolean draining) {
        this.truth = truth;
        this.draining = draining;
    }

    /** Where every acknowledged change is. */
    public Truth truth() {
        return truth;
    }

    /** Whether the truth is about to move, so that it takes no changes. */
    public boolean draining() {
        return draining;
    }

    /** Where brokers in bridge mode read, and write unless it is draining. */
    public enum Truth {
        /** Kafka's topic {@code __remote_log_metadata}. */
        TOPIC,
        /** This catalogue. */
        CATALOGUE,
        /** Not known: nothing may be answered. */
        NOWHERE
    }
}
