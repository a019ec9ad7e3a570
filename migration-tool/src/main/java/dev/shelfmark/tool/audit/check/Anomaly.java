package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.PartitionSummary;
import org.jspecify.annotations.Nullable;

/**
 * A finding and where it is.
 *
 * @param clusterId the cluster
 * @param topic the topic's name; empty when it can't be read
 * @param topicId the topic's textual id
 * @param partition the partition's number, or null when it can't be read
 * @param finding what is wrong
 */
public record Anomaly(
        String clusterId,
        String topic,
        String topicId,
        @Nullable Integer partition,
        Finding finding) {

    static Anomaly of(PartitionSummary partition, Finding finding) {
        return new Anomaly(
                partition.key().clusterId(),
                partition.topicName(),
                TextualId.of(partition.key().topicId()),
                partition.key().partition(),
                finding);
    }
}
