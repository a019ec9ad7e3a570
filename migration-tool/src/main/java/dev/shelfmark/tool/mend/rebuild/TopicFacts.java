package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects what is known of topics, from the brokers where they can be asked and from the catalogue. */
final class TopicFacts {

    private TopicFacts() {}

    static ClusterTopics collect(CatalogueListing catalogue, String clusterId, @Nullable Brokers brokers) {
        Map<UUID, String> own = new HashMap<>();
        Set<UUID> others = new HashSet<>();
        for (ClusterRecord cluster : catalogue.clusters()) {
            boolean self = cluster.clusterId().equals(clusterId);
            partitions(catalogue, cluster.clusterId(), partition -> {
                if (!self) {
                    others.add(partition.key().topicId());
                } else if (brokers == null) {
                    own.put(partition.key().topicId(), partition.topicName());
                }
            });
        }
        if (brokers == null) {
            return new ClusterTopics(own, others, false, ClusterTopics.LogStarts.UNKNOWN);
        }
        brokers.topics()
                .forEach((id, topic) ->
                        own.put(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()), topic.name()));
        if (own.isEmpty()) {
            throw ToolFailure.kafka(
                    "the brokers show this login no topic at all: it needs the right to describe every topic", null);
        }
        return new ClusterTopics(own, others, true, brokers::logStartOffsets);
    }

    private static void partitions(CatalogueListing catalogue, String clusterId, Consumer<PartitionSummary> each) {
        String after = null;
        do {
            Page<PartitionSummary> page = catalogue.partitions(clusterId, after, CatalogueListing.MAX_PAGE);
            for (Listed<PartitionSummary> item : page.items()) {
                if (item instanceof Found<PartitionSummary> partition) {
                    each.accept(partition.value());
                }
            }
            after = page.next();
        } while (after != null);
    }
}
