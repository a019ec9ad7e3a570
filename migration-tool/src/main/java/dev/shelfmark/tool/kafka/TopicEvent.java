package dev.shelfmark.tool.kafka;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import org.apache.kafka.common.TopicIdPartition;

/** A record of the metadata topic, as far as it can be understood. */
public sealed interface TopicEvent {

    MetadataRecord record();

    /**
     * It reports a change.
     *
     * @param partition of which user partition
     * @param event what it reports
     */
    record Change(MetadataRecord record, TopicIdPartition partition, MetadataEvent event) implements TopicEvent {}

    /**
     * It belongs to no partition.
     *
     * @param reason why
     */
    record Unusable(MetadataRecord record, SkipReason reason) implements TopicEvent {}
}
