package dev.shelfmark.tool.migrate.verify;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterState.Truth;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.BoundedRead;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.EventDecoder;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.kafka.TopicEvent;
import dev.shelfmark.tool.migrate.verify.Difference.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The partitions that the catalogue has and the topic does not know: rows of somebody else, or of events that the topic has lost. */
final class CatalogueOnly {

    private final CatalogueStore store;
    private final CatalogueListing listing;
    private final Brokers cluster;
    private final MetadataTopic topic;
    private final String clusterId;

    CatalogueOnly(CatalogueStore store, CatalogueListing listing, Brokers cluster, MetadataTopic topic) {
        this.store = store;
        this.listing = listing;
        this.cluster = cluster;
        this.topic = topic;
        this.clusterId = cluster.clusterId();
    }

    /**
     * Hands over a difference for each that says something while the topic is the truth.
     *
     * @param seen of which the topic has events before its ends
     * @param reader reads what came since
     * @param goingOn throws when nobody wants to wait any more
     * @return how many there are, of which nothing is said, since the topic is not the truth
     */
    long find(Set<PartitionKey> seen, MetadataReader reader, Consumer<Difference> differences, Runnable goingOn) {
        Map<PartitionKey, PartitionSummary> unknown = unknown(seen, goingOn);
        if (unknown.isEmpty()) {
            return 0;
        }
        // Asked after the listing: what was listed while brokers wrote to the catalogue is not taken for a difference.
        boolean topicIsTheTruth = listing.clusters().stream()
                .filter(record -> record.clusterId().equals(clusterId))
                .noneMatch(record -> record.state().truth() != Truth.TOPIC);
        // An import may have brought in events that came after the ends; those that it has read are there by now.
        topic.partitions().forEach(offsets -> forgetWhatCameSince(offsets, reader, unknown, goingOn));
        if (!topicIsTheTruth) {
            return unknown.size();
        }
        Set<UUID> topics =
                cluster.topics().keySet().stream().map(KafkaMapping::uuid).collect(Collectors.toSet());
        unknown.values().forEach(partition -> {
            goingOn.run();
            tell(partition, topics.contains(partition.key().topicId()), differences);
        });
        return 0;
    }

    /** Those that were deleted as a whole say nothing to any broker. */
    private Map<PartitionKey, PartitionSummary> unknown(Set<PartitionKey> seen, Runnable goingOn) {
        Map<PartitionKey, PartitionSummary> unknown = new HashMap<>();
        String after = null;
        do {
            goingOn.run();
            Page<PartitionSummary> page = listing.partitions(clusterId, after, CatalogueListing.MAX_PAGE);
            for (Listed<PartitionSummary> item : page.items()) {
                if (item instanceof Unreadable<PartitionSummary> row) {
                    throw ToolFailure.store(
                            "partition " + row.id() + " of the catalogue can't be read: " + row.reason(), null);
                } else if (item instanceof Found<PartitionSummary> row) {
                    PartitionSummary partition = row.value();
                    boolean gone = partition.deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED
                            && partition.liveSegments() == 0;
                    if (!gone && !seen.contains(partition.key())) {
                        unknown.put(partition.key(), partition);
                    }
                }
            }
            after = page.next();
        } while (after != null);
        return unknown;
    }

    private void forgetWhatCameSince(
            Offsets offsets, MetadataReader reader, Map<PartitionKey, PartitionSummary> unknown, Runnable goingOn) {
        EventDecoder decoder = new EventDecoder();
        reader.seek(Map.of(offsets.partition(), offsets.end()));
        long end = reader.ends().getOrDefault(offsets.partition(), offsets.end());
        new BoundedRead(reader, Verification.STALL)
                .read(offsets.partition(), offsets.end(), end, (records, position) -> {
                    goingOn.run();
                    for (MetadataRecord record : records) {
                        if (decoder.decode(record) instanceof TopicEvent.Change change) {
                            unknown.remove(KafkaMapping.key(clusterId, change.partition()));
                        }
                    }
                    return true;
                });
    }

    /** Of a partition without segments only the highest offsets count, and those only while somebody may ask: its topic is there. */
    private void tell(PartitionSummary partition, boolean topicIsThere, Consumer<Difference> differences) {
        String says = "";
        if (partition.liveSegments() > 0) {
            says = partition.liveSegments() + " segments";
        } else if (topicIsThere) {
            PartitionHead head = store.read(partition.key(), new Selection.HeadOnly(), segment -> {});
            says = head.highestOffsets().isEmpty() ? "" : "highest offsets " + head.highestOffsets();
        }
        if (!says.isEmpty()) {
            differences.accept(new Difference(
                    Kind.PARTITION,
                    partition.topicName(),
                    TextualId.of(partition.key().topicId()),
                    partition.key().partition(),
                    "events",
                    "none",
                    says));
        }
    }
}
