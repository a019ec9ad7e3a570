package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.TextualId;
import java.util.UUID;

/** A segment and the partition that it is of. */
public record SegmentName(UUID topicId, int partition, UUID segmentId) {

    /** In Kafka's textual form, for messages. */
    @Override
    public String toString() {
        return TextualId.of(segmentId) + " of partition " + TextualId.of(topicId) + "-" + partition;
    }
}
