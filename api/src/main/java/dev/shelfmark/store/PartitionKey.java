package dev.shelfmark.store;

import java.util.Objects;
import java.util.UUID;

/**
 * Names one partition of one Kafka cluster. The topic's name is no part of it: a name may be used again by another topic,
 * an id never.
 *
 * @param clusterId Kafka's cluster id, as the brokers have it; not empty
 * @param topicId the topic's id
 * @param partition the partition's number, from 0
 */
public record PartitionKey(String clusterId, UUID topicId, int partition) {

    public PartitionKey {
        Objects.requireNonNull(topicId, "topicId");
        if (clusterId.isEmpty()) {
            throw new IllegalArgumentException("clusterId is empty");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("partition " + partition + " is negative");
        }
    }

    // Every answer asks for these two. A record's own link themselves at their first call, which takes a twentieth of a
    // broker's whole start.

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionKey that
                && partition == that.partition
                && topicId.equals(that.topicId)
                && clusterId.equals(that.clusterId);
    }

    @Override
    public int hashCode() {
        return (clusterId.hashCode() * 31 + topicId.hashCode()) * 31 + partition;
    }

    /** For messages: cluster, topic id in Kafka's textual form, and partition. */
    @Override
    public String toString() {
        return clusterId + "/" + TextualId.of(topicId) + "-" + partition;
    }
}
