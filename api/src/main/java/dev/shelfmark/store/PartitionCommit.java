package dev.shelfmark.store;

import java.util.Collections;
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
 * @param segments the records to put, each replacing the one of its id; each id once. What {@link #onlyUpdates} speaks of need not be
 *     written again
 * @param changes the steps that led here, for the history: at most one for each version that is raised, ascending
 */
public record PartitionCommit(
        long expectedVersion, PartitionHead head, List<SegmentRecord> segments, List<StateChange> changes) {

    public PartitionCommit {
        segments = List.copyOf(segments);
        changes = List.copyOf(changes);
        if (head.version() <= expectedVersion) {
            throw new IllegalArgumentException(
                    "a commit must raise the version: from " + expectedVersion + " to " + head.version());
        }
        if (segments.size() > 1) {
            requireEachOnce(segments);
        }
        long last = expectedVersion;
        for (StateChange change : changes) {
            if (change.version() <= last || change.version() > head.version()) {
                throw new IllegalArgumentException("a commit from " + expectedVersion + " to " + head.version()
                        + " has a change of version " + change.version() + " after " + last);
            }
            last = change.version();
        }
    }

    private static void requireEachOnce(List<SegmentRecord> segments) {
        List<UUID> ids = segments.stream().map(SegmentRecord::segmentId).toList();
        if (Set.copyOf(ids).size() < ids.size()) {
            throw new IllegalArgumentException("a commit names each segment once: " + ids);
        }
    }

    /**
     * The segments that the commit takes for new: a change of them comes from nothing. Of these no record may be kept, not even of a deleted
     * segment; it lets who holds only the live segments add one without asking first.
     */
    public Set<UUID> newSegments() {
        Set<UUID> ids = new HashSet<>();
        for (StateChange change : changes) {
            if (change instanceof StateChange.OfSegment segment && segment.from() == null) {
                ids.add(segment.segmentId());
            }
        }
        return Collections.unmodifiableSet(ids);
    }

    /**
     * Whether each record goes on from one that is there, and its copy does not begin anew. Then it differs from that one only in its state,
     * broker, event timestamp, custom metadata and versions: all else is settled when a copy begins.
     */
    public boolean onlyUpdates() {
        Set<UUID> updated = new HashSet<>();
        for (StateChange change : changes) {
            if (change instanceof StateChange.OfSegment segment) {
                if (segment.from() == null || segment.to() == SegmentState.COPY_SEGMENT_STARTED) {
                    return false;
                }
                updated.add(segment.segmentId());
            }
        }
        return segments.stream().allMatch(segment -> updated.contains(segment.segmentId()));
    }
}
