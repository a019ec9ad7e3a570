package dev.shelfmark.store.admin;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;

/**
 * A partition as a listing has it: its head without the highest offsets, for which {@link CatalogueStore#read} with
 * {@link Selection.HeadOnly} asks, because not every store keeps them beside the head. The fields are those of {@link PartitionHead}.
 *
 * @param key the partition
 */
public record PartitionSummary(
        PartitionKey key,
        String topicName,
        long version,
        long liveSegments,
        long maxOffsetSpan,
        PartitionDeletion deletion) {

    /** Of a head that was read. */
    public static PartitionSummary of(PartitionKey key, PartitionHead head) {
        return new PartitionSummary(
                key, head.topicName(), head.version(), head.liveSegments(), head.maxOffsetSpan(), head.deletion());
    }
}
