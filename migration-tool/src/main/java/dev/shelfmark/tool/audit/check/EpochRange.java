package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.util.ArrayList;
import java.util.List;

/** The offsets that a segment holds of one leader epoch; never empty. */
record EpochRange(int epoch, long start, long end) {

    /** Of every epoch of a segment that holds any. */
    static List<EpochRange> of(SegmentRecord segment) {
        LeaderEpochs epochs = segment.leaderEpochs();
        List<EpochRange> ranges = new ArrayList<>(epochs.size());
        for (int i = 0; i < epochs.size(); i++) {
            long end = epochs.endOffset(i, segment.endOffset());
            if (end >= epochs.startOffset(i)) {
                ranges.add(new EpochRange(epochs.epoch(i), epochs.startOffset(i), end));
            }
        }
        return ranges;
    }

    boolean overlaps(EpochRange other) {
        return epoch == other.epoch && start <= other.end && other.start <= end;
    }

    boolean within(EpochRange other) {
        return epoch == other.epoch && other.start <= start && end <= other.end;
    }
}
