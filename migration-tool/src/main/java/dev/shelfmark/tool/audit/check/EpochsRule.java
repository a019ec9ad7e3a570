package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@link AnomalyKind#EPOCHS_OUTSIDE_SEGMENT}. */
final class EpochsRule implements Rule {

    private static final int MOST = 1_000;

    private final List<Finding> found = new ArrayList<>();

    @Override
    public void live(SegmentRecord segment) {
        LeaderEpochs epochs = segment.leaderEpochs();
        if (epochs.startOffset(0) != segment.startOffset()) {
            tell(segment, 0, "but the segment at " + segment.startOffset());
            return;
        }
        for (int i = 1; i < epochs.size(); i++) {
            if (epochs.startOffset(i) < epochs.startOffset(i - 1)) {
                tell(segment, i, "before epoch " + epochs.epoch(i - 1));
                return;
            }
            // An epoch that begins right behind the end is empty, and allowed.
            if (epochs.startOffset(i) > segment.endOffset() + 1) {
                tell(segment, i, "behind the segment's end " + segment.endOffset());
                return;
            }
        }
    }

    private void tell(SegmentRecord segment, int position, String what) {
        if (found.size() < MOST) {
            LeaderEpochs epochs = segment.leaderEpochs();
            found.add(Finding.ofSegment(
                    AnomalyKind.EPOCHS_OUTSIDE_SEGMENT,
                    segment,
                    "epoch " + epochs.epoch(position) + " begins at " + epochs.startOffset(position) + ", " + what));
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        found.forEach(findings);
    }
}
