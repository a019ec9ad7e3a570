package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import java.time.Instant;
import java.util.function.Consumer;

/** {@link AnomalyKind#PURGE_BACKLOG}. */
final class PurgeRule implements Rule {

    private final CheckSettings settings;
    private long due;
    private long oldestMs = Long.MAX_VALUE;

    PurgeRule(CheckSettings settings) {
        this.settings = settings;
    }

    @Override
    public void deleted(SegmentRecord segment) {
        if (settings.olderThan(segment, settings.purgeAfter())) {
            due++;
            oldestMs = Math.min(oldestMs, segment.eventTimestampMs());
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        if (due > 0) {
            findings.accept(new Finding(
                    AnomalyKind.PURGE_BACKLOG,
                    null,
                    null,
                    null,
                    null,
                    Instant.ofEpochMilli(oldestMs),
                    due + " records of deleted segments are still there"));
        }
    }
}
