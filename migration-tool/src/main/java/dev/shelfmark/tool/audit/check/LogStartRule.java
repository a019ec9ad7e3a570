package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link AnomalyKind#LOG_START_NOT_READABLE}. */
final class LogStartRule implements Rule {

    private final CheckSettings settings;
    private @Nullable SegmentRecord lowest;
    private @Nullable SegmentRecord lowestReadable;

    LogStartRule(CheckSettings settings) {
        this.settings = settings;
    }

    @Override
    public void live(SegmentRecord segment) {
        if (lowest == null) {
            lowest = segment;
        }
        if (lowestReadable == null && segment.state() == SegmentState.COPY_SEGMENT_FINISHED) {
            lowestReadable = segment;
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        if (lowest != null
                && lowestReadable != null
                && lowest.startOffset() < lowestReadable.startOffset()
                && !settings.inFlight(lowest)) {
            findings.accept(Finding.ofSegment(
                    AnomalyKind.LOG_START_NOT_READABLE,
                    lowest,
                    "it is " + lowest.state() + "; the first readable segment begins at "
                            + lowestReadable.startOffset()));
        }
    }
}
