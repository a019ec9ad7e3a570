package dev.shelfmark.tool.mend.rebuild;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What is known of topics.
 *
 * @param names this cluster's topics: the names by id
 * @param ofOthers topics that the catalogue has under other clusters
 * @param askedBrokers whether the cluster's brokers told its topics, rather than the catalogue
 * @param logStarts asks for log start offsets
 */
record ClusterTopics(Map<UUID, String> names, Set<UUID> ofOthers, boolean askedBrokers, LogStarts logStarts) {

    /** Tells log start offsets. */
    interface LogStarts {
        /** Nobody was asked. */
        LogStarts UNKNOWN = partitions -> Map.of();

        /** The log start offsets of partitions, as far as they are known. */
        Map<TopicPartition, Long> of(Set<TopicPartition> partitions);
    }

    ClusterTopics {
        names = Map.copyOf(names);
        ofOthers = Set.copyOf(ofOthers);
    }

    boolean known(UUID topicId) {
        return names.containsKey(topicId);
    }

    @Nullable
    String name(UUID topicId) {
        return names.get(topicId);
    }
}
