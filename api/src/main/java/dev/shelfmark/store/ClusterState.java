package dev.shelfmark.store;

/** Whether the catalogue may speak for a Kafka cluster. */
public enum ClusterState {
    /** History is being brought in: the catalogue is not complete, brokers must not be answered. */
    IMPORTING,
    /** The catalogue is the truth: brokers are answered. */
    READY,
    /** A backup is being restored and reconciled: brokers must not be answered. */
    RESTORING
}
