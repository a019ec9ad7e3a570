package dev.shelfmark.catalogue.index;

import dev.shelfmark.store.SegmentIdOrder;
import dev.shelfmark.store.SegmentRecord;
import java.util.Comparator;

/**
 * The order of every list: by start offset; of several that start together the one finished last comes first, as it is the one that
 * answers lookups, then those never finished; then by id, so that the order is total.
 */
final class SegmentOrder implements Comparator<SegmentRecord> {

    static final Comparator<SegmentRecord> BY_START_OFFSET = new SegmentOrder();

    private SegmentOrder() {}

    @Override
    public int compare(SegmentRecord segment, SegmentRecord other) {
        int byOffset = Long.compare(segment.startOffset(), other.startOffset());
        if (byOffset != 0) {
            return byOffset;
        }
        int byFinish = Long.compare(other.finishedVersion(), segment.finishedVersion());
        return byFinish != 0 ? byFinish : SegmentIdOrder.compare(segment.segmentId(), other.segmentId());
    }
}
