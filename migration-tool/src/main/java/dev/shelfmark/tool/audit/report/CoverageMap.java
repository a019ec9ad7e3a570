package dev.shelfmark.tool.audit.report;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.List;

/**
 * A partition along its offset axis, in a fixed number of stretches of one width. The segments come by start offset; when they reach
 * beyond the last stretch, neighbours are merged and the width doubles. So a million segments take no more room than ten.
 */
final class CoverageMap {

    static final int READABLE = 1;
    static final int COPYING = 2;
    static final int DELETING = 4;
    static final int GAP = 8;

    private static final int STRETCHES = 192;

    private final int[] marks = new int[STRETCHES];
    private final int[] epochs = new int[STRETCHES];
    private long origin = -1;
    private long width = 1;
    private long readableTo = -1;
    private long end = -1;

    /** Stretches side by side that look alike. */
    record Run(int stretches, int marks, int epoch) {}

    void add(SegmentRecord segment) {
        if (origin < 0) {
            origin = segment.startOffset();
        }
        end = Math.max(end, segment.endOffset());
        if (segment.state() != SegmentState.COPY_SEGMENT_FINISHED) {
            int mark = segment.state() == SegmentState.COPY_SEGMENT_STARTED ? COPYING : DELETING;
            int last = segment.leaderEpochs().size() - 1;
            mark(
                    segment.startOffset(),
                    segment.endOffset(),
                    mark,
                    segment.leaderEpochs().epoch(last));
            return;
        }
        if (readableTo >= 0 && segment.startOffset() > readableTo + 1) {
            mark(readableTo + 1, segment.startOffset() - 1, GAP, 0);
        }
        readableTo = Math.max(readableTo, segment.endOffset());
        for (int i = 0; i < segment.leaderEpochs().size(); i++) {
            long from = Math.max(segment.startOffset(), segment.leaderEpochs().startOffset(i));
            long to = segment.leaderEpochs().heldEndOffset(i, segment.endOffset());
            if (from <= to) {
                mark(from, to, READABLE, segment.leaderEpochs().epoch(i));
            }
        }
    }

    private void mark(long from, long to, int mark, int epoch) {
        while ((to - origin) / width >= STRETCHES) {
            fold();
        }
        for (int i = (int) ((from - origin) / width); i <= (int) ((to - origin) / width); i++) {
            marks[i] |= mark;
            epochs[i] = Math.max(epochs[i], epoch);
        }
    }

    private void fold() {
        for (int i = 0; i < STRETCHES; i++) {
            boolean there = 2 * i + 1 < STRETCHES;
            marks[i] = there ? marks[2 * i] | marks[2 * i + 1] : 0;
            epochs[i] = there ? Math.max(epochs[2 * i], epochs[2 * i + 1]) : 0;
        }
        width *= 2;
    }

    /** The offsets that one stretch stands for. */
    long width() {
        return width;
    }

    /** From the lowest offset to the highest; empty when there is no segment. */
    List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        int used = origin < 0 ? 0 : (int) ((end - origin) / width) + 1;
        for (int i = 0; i < used; ) {
            int from = i;
            while (i < used && marks[i] == marks[from] && epochs[i] == epochs[from]) {
                i++;
            }
            runs.add(new Run(i - from, marks[from], epochs[from]));
        }
        return runs;
    }
}
