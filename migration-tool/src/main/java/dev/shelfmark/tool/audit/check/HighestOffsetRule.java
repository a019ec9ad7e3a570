package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.TreeMap;
import java.util.function.Consumer;

/** {@link AnomalyKind#HIGHEST_OFFSET_TOO_LOW}. Higher than the segments is normal: it outlives them. */
final class HighestOffsetRule implements Rule {

    private final TreeMap<Integer, Long> endByEpoch = new TreeMap<>();

    @Override
    public void live(SegmentRecord segment) {
        if (segment.state() == SegmentState.COPY_SEGMENT_FINISHED) {
            EpochRange.of(segment).forEach(range -> endByEpoch.merge(range.epoch(), range.end(), Math::max));
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        endByEpoch.forEach((epoch, end) -> {
            Long kept = head.highestOffsets().get(epoch);
            if (kept == null || kept < end) {
                findings.accept(new Finding(
                        AnomalyKind.HIGHEST_OFFSET_TOO_LOW,
                        null,
                        kept,
                        end,
                        epoch,
                        null,
                        (kept == null ? "none is kept" : kept + " is kept") + ", but a segment holds " + end));
            }
        });
    }
}
