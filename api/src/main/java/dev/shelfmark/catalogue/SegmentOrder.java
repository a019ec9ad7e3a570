package dev.shelfmark.catalogue;

import dev.shelfmark.store.SegmentRecord;
import java.util.Comparator;

/**
 * The order of every list: by start offset; of several that start together the one finished last comes first, as it is the one that
 * answers lookups, then those never finished; then by id, so that the order is total.
 */
final class SegmentOrder {

    static final Comparator<SegmentRecord> BY_START_OFFSET = Comparator.comparingLong(SegmentRecord::startOffset)
            .thenComparing(SegmentRecord::finishedVersion, Comparator.reverseOrder())
            .thenComparing(segment -> segment.segmentId().getMostSignificantBits(), Long::compareUnsigned)
            .thenComparing(segment -> segment.segmentId().getLeastSignificantBits(), Long::compareUnsigned);

    private SegmentOrder() {}
}
