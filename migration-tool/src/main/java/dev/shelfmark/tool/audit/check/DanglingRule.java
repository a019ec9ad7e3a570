package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@link AnomalyKind#DANGLING_COPY} and {@link AnomalyKind#DANGLING_DELETE}: a state that is meant to pass and did not. */
final class DanglingRule implements Rule {

    private static final int MOST = 1_000;

    private final CheckSettings settings;
    private final AnomalyKind kind;
    private final SegmentState state;
    private final List<Finding> found = new ArrayList<>();

    private DanglingRule(CheckSettings settings, AnomalyKind kind, SegmentState state) {
        this.settings = settings;
        this.kind = kind;
        this.state = state;
    }

    static DanglingRule ofCopies(CheckSettings settings) {
        return new DanglingRule(settings, AnomalyKind.DANGLING_COPY, SegmentState.COPY_SEGMENT_STARTED);
    }

    static DanglingRule ofDeletions(CheckSettings settings) {
        return new DanglingRule(settings, AnomalyKind.DANGLING_DELETE, SegmentState.DELETE_SEGMENT_STARTED);
    }

    @Override
    public void live(SegmentRecord segment) {
        if (segment.state() == state && !settings.inFlight(segment) && found.size() < MOST) {
            found.add(Finding.ofSegment(kind, segment, state + " by broker " + segment.brokerId()));
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        found.forEach(findings);
    }
}
