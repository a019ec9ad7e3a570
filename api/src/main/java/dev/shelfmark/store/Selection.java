package dev.shelfmark.store;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which segments of a partition a read is about. "Live" is {@link SegmentState#live()}. */
public sealed interface Selection {

    /** No segment: the head alone. */
    record HeadOnly() implements Selection {}

    /** Every live segment, in no promised order. */
    record All() implements Selection {}

    /**
     * Every segment changed after a version, the deleted ones included as long as they are not purged. The head's highest
     * offsets may be only those raised after that version.
     *
     * @param version the version that the reader knows
     */
    record ChangedSince(long version) implements Selection {}

    /**
     * The segments of these ids, in whatever state; an id without a record is left out.
     *
     * @param segmentIds the ids, no more than {@link CatalogueStore#maxSegmentsPerCommit()}
     */
    record ById(Set<UUID> segmentIds) implements Selection {
        public ById {
            segmentIds = Set.copyOf(segmentIds);
        }
    }

    /**
     * The live segments whose offsets hold this one, in no promised order. Must not cost more when the partition is large.
     *
     * @param offset an offset
     */
    record Holding(long offset) implements Selection {}

    /**
     * The first live segments, ascending by start offset and then by id ({@link UUID} compared as an unsigned number), that end
     * at or after an offset and may hold a transaction index ({@code txnIndexEmpty} is false). Must not cost more when the
     * partition is large.
     *
     * @param offset the lowest end offset
     * @param limit how many at most, from 1
     * @param after where the previous page ended, or null for the first
     */
    record WithTxnIndex(long offset, int limit, @Nullable Position after) implements Selection {}

    /**
     * A place in the order of {@link WithTxnIndex}.
     *
     * @param startOffset the segment's start offset
     * @param segmentId the segment's id
     */
    record Position(long startOffset, UUID segmentId) implements Comparable<Position> {

        @Override
        public int compareTo(Position other) {
            int byOffset = Long.compare(startOffset, other.startOffset);
            return byOffset != 0 ? byOffset : SegmentIdOrder.compare(segmentId, other.segmentId);
        }
    }
}
