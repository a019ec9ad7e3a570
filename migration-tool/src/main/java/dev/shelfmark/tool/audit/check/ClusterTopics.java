package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionKey;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The topics that a cluster has, as its brokers tell.
 *
 * @param clusterId the cluster
 * @param retentionMs by topic id, how long its records are kept in milliseconds, or -1 for ever
 */
public record ClusterTopics(String clusterId, Map<UUID, Long> retentionMs) {

    public ClusterTopics {
        retentionMs = Map.copyOf(retentionMs);
    }

    boolean knowsNothingOf(PartitionKey key) {
        return key.clusterId().equals(clusterId) && !retentionMs.containsKey(key.topicId());
    }

    /** How long a partition's records are kept; null for ever. */
    @Nullable
    Duration retention(PartitionKey key, Duration otherwise) {
        Long found = key.clusterId().equals(clusterId) ? retentionMs.get(key.topicId()) : null;
        if (found == null) {
            return otherwise;
        }
        return found < 0 ? null : Duration.ofMillis(found);
    }
}
