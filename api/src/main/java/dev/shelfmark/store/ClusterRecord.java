package dev.shelfmark.store;

import java.time.Instant;
import java.util.Objects;

/**
 * What a store knows of one Kafka cluster. A cluster without such a record is unknown, which is not the same as empty.
 *
 * @param clusterId Kafka's cluster id
 * @param state whether the catalogue may speak for it
 * @param revision raised by one with each change of this record, from 1; a broker that sees it change drops what it has cached
 * @param changedAt when the record last changed, by the clock of who changed it
 * @param changedBy who changed it: a person or a tool, as they named themselves
 * @param note why; may be empty
 */
public record ClusterRecord(
        String clusterId, ClusterState state, long revision, Instant changedAt, String changedBy, String note) {

    public ClusterRecord {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(changedAt, "changedAt");
        if (clusterId.isEmpty()) {
            throw new IllegalArgumentException("clusterId is empty");
        }
        if (revision < 1) {
            throw new IllegalArgumentException("revision " + revision + " is below 1");
        }
    }
}
