package dev.shelfmark.jdbc.partition;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;

/** One row of a read of {@link PartitionDao}. */
public sealed interface PartitionRow {

    /** The partition itself: one such row, or none when nothing was ever written. */
    record Head(PartitionHead head) implements PartitionRow {}

    /** One selected segment. */
    record Segment(SegmentRecord segment) implements PartitionRow {}
}
