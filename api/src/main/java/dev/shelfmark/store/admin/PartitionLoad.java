package dev.shelfmark.store.admin;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One atomic change of a partition while history is brought in.
 *
 * @param key the partition
 * @param expectedVersion the version that the change was decided on; it applies only while the partition is at it
 * @param head the whole head after the change, except that {@code highestOffsets} holds only the epochs that changed
 * @param added records of segments that the partition does not hold
 * @param replaced records of segments that it holds
 * @param removed segments that it holds and shall hold no more, not even as deleted
 * @param source where the events came from
 * @param progress how far the partition is brought in from there, once this is applied
 */
public record PartitionLoad(
        PartitionKey key,
        long expectedVersion,
        PartitionHead head,
        List<SegmentRecord> added,
        List<SegmentRecord> replaced,
        Set<UUID> removed,
        int source,
        BulkLoader.Progress progress) {

    public PartitionLoad {
        added = List.copyOf(added);
        replaced = List.copyOf(replaced);
        removed = Set.copyOf(removed);
        if (added.stream().anyMatch(segment -> !segment.state().live())
                || replaced.stream().anyMatch(segment -> !segment.state().live())) {
            throw new IllegalArgumentException("a load keeps no deleted segments: they are removed");
        }
        if (head.version() <= expectedVersion) {
            throw new IllegalArgumentException(
                    "a load must raise the version: from " + expectedVersion + " to " + head.version());
        }
    }

    /** How many segments it changes. */
    public int size() {
        return added.size() + replaced.size() + removed.size();
    }
}
