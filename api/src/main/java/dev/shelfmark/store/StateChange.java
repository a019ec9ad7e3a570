package dev.shelfmark.store;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One step in the life of a partition: what a commit keeps of it besides what it makes of the partition. Equal by value. */
public sealed interface StateChange {

    /** The partition's version that the change made. Versions order the changes; one that is missing belongs to a change that was not kept. */
    long version();

    /** The broker that reported it. */
    int brokerId();

    /** That broker's clock when it reported it, milliseconds since 1970; for people, never for ordering. */
    long eventTimestampMs();

    /**
     * A segment was reported.
     *
     * @param segmentId the segment
     * @param from the state that it was in, or null for one that was not there; the same as {@code to} when a repeat changed
     *     something else of it
     * @param to the state that it is in from then on
     */
    record OfSegment(
            long version,
            UUID segmentId,
            @Nullable SegmentState from,
            SegmentState to,
            int brokerId,
            long eventTimestampMs)
            implements StateChange {
        public OfSegment {
            Objects.requireNonNull(segmentId, "segmentId");
            Objects.requireNonNull(to, "to");
        }
    }

    /**
     * The deletion of the whole partition moved on.
     *
     * @param from how far it had come
     * @param to how far it has come
     */
    record OfPartition(long version, PartitionDeletion from, PartitionDeletion to, int brokerId, long eventTimestampMs)
            implements StateChange {
        public OfPartition {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }
    }
}
