package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import java.util.function.Consumer;

/** {@link AnomalyKind#SMALL_SEGMENTS}. */
final class SmallSegmentsRule implements Rule {

    private final CheckSettings settings;
    private long live;
    private long bytes;

    SmallSegmentsRule(CheckSettings settings) {
        this.settings = settings;
    }

    @Override
    public void live(SegmentRecord segment) {
        live++;
        bytes += segment.sizeInBytes();
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        if (live >= settings.smallSegments() && bytes / live < settings.smallBytes()) {
            findings.accept(Finding.ofPartition(
                    AnomalyKind.SMALL_SEGMENTS, live + " segments of " + bytes / live + " bytes on average"));
        }
    }
}
