package dev.shelfmark.tool.audit;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.util.StringJoiner;

/** A segment's leader epochs as text: {@code 3:1000-1499 4:1500-1999}. */
final class EpochRanges {

    private EpochRanges() {}

    static String text(SegmentRecord segment) {
        LeaderEpochs epochs = segment.leaderEpochs();
        StringJoiner text = new StringJoiner(" ");
        for (int i = 0; i < epochs.size(); i++) {
            text.add(epochs.epoch(i) + ":" + range(segment, i));
        }
        return text.toString();
    }

    /** The offsets of the epoch at a position. */
    static String range(SegmentRecord segment, int position) {
        LeaderEpochs epochs = segment.leaderEpochs();
        long start = epochs.startOffset(position);
        long end = epochs.endOffset(position, segment.endOffset());
        return end < start ? start + " (empty)" : start + "-" + end;
    }
}
