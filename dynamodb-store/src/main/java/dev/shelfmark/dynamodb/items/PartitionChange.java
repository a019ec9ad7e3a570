package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.admin.PartitionLoad;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A change of a partition, whoever makes it.
 *
 * @param segments records to put
 * @param unseen which of them there may be no record of yet
 * @param steps for the history; an import has none
 * @param removed segments whose records are taken away at once; only an import does that
 */
public record PartitionChange(
        PartitionKey key,
        long expectedVersion,
        PartitionHead head,
        List<SegmentRecord> segments,
        Set<UUID> unseen,
        List<StateChange> steps,
        Set<UUID> removed) {

    public PartitionChange {
        for (SegmentRecord segment : segments) {
            if (segment.version() > head.version()) {
                throw new IllegalArgumentException("a segment of version " + segment.version()
                        + " in a change that makes version " + head.version());
            }
        }
    }

    public static PartitionChange of(PartitionKey key, PartitionCommit commit) {
        return new PartitionChange(
                key,
                commit.expectedVersion(),
                commit.head(),
                commit.segments(),
                commit.newSegments(),
                commit.changes(),
                Set.of());
    }

    public static PartitionChange of(PartitionLoad load) {
        List<SegmentRecord> segments =
                Stream.concat(load.added().stream(), load.replaced().stream()).toList();
        return new PartitionChange(
                load.key(), load.expectedVersion(), load.head(), segments, Set.of(), List.of(), load.removed());
    }

    /** Whether it makes the partition known. */
    public boolean first() {
        return expectedVersion == 0;
    }

    /** How many of the live segments a reader will find among the changes after the expected version. */
    public int visibleLive() {
        return (int) segments.stream()
                .filter(segment -> segment.state().live() && segment.version() > expectedVersion)
                .count();
    }

    /** The segments that a reader will find deleted, or not at all. */
    public Set<UUID> gone() {
        Set<UUID> gone = new HashSet<>(removed);
        segments.stream()
                .filter(segment -> !segment.state().live() && segment.version() > expectedVersion)
                .forEach(segment -> gone.add(segment.segmentId()));
        return gone;
    }
}
