package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.TopicInfo;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Whether nothing is copied while nobody watches the brokers: for a switch without the bridge. */
public final class OfflineCheck {

    private OfflineCheck() {}

    /** The tiered topics whose segments are still copied, by name. */
    public static List<String> copying(Brokers cluster) {
        return cluster.topics().values().stream()
                .filter(topic -> topic.tiered() && !topic.copyDisabled())
                .map(TopicInfo::name)
                .sorted()
                .toList();
    }

    /**
     * The topics of which the catalogue has segments and that the brokers do not tell of, by name: they are deleted, or this login may not see them.
     * Brokers keep silent about those, and then nobody knows whether they are copied.
     */
    public static List<String> unseen(CatalogueListing listing, String clusterId, Brokers cluster) {
        Set<UUID> seen =
                cluster.topics().keySet().stream().map(KafkaMapping::uuid).collect(Collectors.toSet());
        Set<String> unseen = new TreeSet<>();
        String next = null;
        do {
            Page<PartitionSummary> page = listing.partitions(clusterId, next, CatalogueListing.MAX_PAGE);
            for (Listed<PartitionSummary> item : page.items()) {
                if (item instanceof Found<PartitionSummary> found
                        && found.value().liveSegments() > 0
                        && !seen.contains(found.value().key().topicId())) {
                    unseen.add(found.value().topicName());
                }
            }
            next = page.next();
        } while (next != null);
        return List.copyOf(unseen);
    }
}
