package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.util.function.Consumer;

/** {@link AnomalyKind#HEAD_MISMATCH}. Meaningful only when nothing was changed while it looked. */
final class HeadRule implements Rule {

    private long live;
    private long widest;
    private long newest;

    @Override
    public void live(SegmentRecord segment) {
        live++;
        widest = Math.max(widest, segment.endOffset() - segment.startOffset());
        newest = Math.max(newest, segment.version());
    }

    @Override
    public void unreadable(Unreadable<SegmentRecord> row, Kept kept) {
        live += kept == Kept.LIVE ? 1 : 0;
    }

    @Override
    public void deleted(SegmentRecord segment) {
        newest = Math.max(newest, segment.version());
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        if (live != head.liveSegments()) {
            findings.accept(Finding.ofPartition(
                    AnomalyKind.HEAD_MISMATCH,
                    "the head counts " + head.liveSegments() + " live segments, there are " + live));
        } else if (widest > head.maxOffsetSpan()) {
            findings.accept(Finding.ofPartition(
                    AnomalyKind.HEAD_MISMATCH,
                    "the head knows a span of " + head.maxOffsetSpan() + " offsets, one segment has " + widest));
        } else if (newest > head.version()) {
            findings.accept(Finding.ofPartition(
                    AnomalyKind.HEAD_MISMATCH,
                    "the head is at version " + head.version() + ", one segment at " + newest));
        }
    }
}
