package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds pairs of finished segments that hold the same offsets of an epoch, among segments that come by start offset. */
final class OverlapPairs {

    /** So many segments that reach beyond where the next one starts are looked at; more are damage, and bounded. */
    private static final int MOST_REACHING = 1_000;

    private final List<Reaching> reaching = new ArrayList<>();
    private final Consumer<Pair> pairs;

    OverlapPairs(Consumer<Pair> pairs) {
        this.pairs = pairs;
    }

    private record Reaching(SegmentRecord segment, List<EpochRange> ranges) {
        boolean overlaps(Reaching other) {
            return ranges.stream().anyMatch(mine -> other.ranges.stream().anyMatch(mine::overlaps));
        }

        boolean within(Reaching other) {
            return ranges.stream().allMatch(mine -> other.ranges.stream().anyMatch(mine::within));
        }
    }

    /**
     * Two segments that overlap.
     *
     * @param earlier the one finished earlier
     * @param later the one finished later
     * @param superseded whether the later one holds all that the earlier one does
     */
    record Pair(SegmentRecord earlier, SegmentRecord later, boolean superseded) {}

    void add(SegmentRecord segment) {
        if (segment.state() != SegmentState.COPY_SEGMENT_FINISHED) {
            return;
        }
        Reaching next = new Reaching(segment, EpochRange.of(segment));
        reaching.removeIf(before -> before.segment().endOffset() < segment.startOffset());
        for (Reaching before : reaching) {
            if (before.overlaps(next)) {
                boolean inOrder = before.segment().finishedVersion() <= segment.finishedVersion();
                Reaching earlier = inOrder ? before : next;
                Reaching later = inOrder ? next : before;
                pairs.accept(new Pair(earlier.segment(), later.segment(), earlier.within(later)));
            }
        }
        if (reaching.size() < MOST_REACHING) {
            reaching.add(next);
        }
    }
}
