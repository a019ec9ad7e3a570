package dev.shelfmark.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One atomic change of a partition.
 *
 * @param expectedVersion the version that the change was decided on; it applies only while the partition is at it
 * @param head the whole head after the change, except that {@code highestOffsets} holds only the epochs that changed. Its version
 *     is above {@code expectedVersion}
 * @param segments the records to put, each replacing the one of its id; each id once
 * @param newSegments the ids among them of which the decision took no record to be kept, not even of a deleted segment; the commit
 *     applies only while that is so. It lets who holds only the live segments add one without asking first
 */
public record PartitionCommit(
        long expectedVersion, PartitionHead head, List<SegmentRecord> segments, Set<UUID> newSegments) {

    public PartitionCommit {
        segments = List.copyOf(segments);
        newSegments = Set.copyOf(newSegments);
        if (head.version() <= expectedVersion) {
            throw new IllegalArgumentException(
                    "a commit must raise the version: from " + expectedVersion + " to " + head.version());
        }
        List<UUID> ids = segments.stream().map(SegmentRecord::segmentId).toList();
        if (ids.stream().distinct().count() < ids.size()) {
            throw new IllegalArgumentException("a commit names each segment once: " + ids);
        }
        if (!new HashSet<>(ids).containsAll(newSegments)) {
            throw new IllegalArgumentException("a commit puts what it takes for new: " + newSegments + " of " + ids);
        }
    }

    /** A commit that puts its records whether there are others of their ids or not. */
    public PartitionCommit(long expectedVersion, PartitionHead head, List<SegmentRecord> segments) {
        this(expectedVersion, head, segments, Set.of());
    }
}
