package dev.shelfmark.tool.audit.walk;

import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.admin.RecordedChange;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which changes somebody asks about.
 *
 * @param segmentId of this segment only; null for every one, and for those of the partition itself
 * @param since recorded at or after, by the store's clock; null for ever
 * @param until recorded before, by the store's clock; null for ever
 */
public record HistoryFilter(
        @Nullable UUID segmentId,
        @Nullable Instant since,
        @Nullable Instant until) {

    /** Whether it lets a change pass. */
    public boolean passes(RecordedChange recorded) {
        return (segmentId == null || isOf(segmentId, recorded.change()))
                && (since == null || !recorded.recordedAt().isBefore(since))
                && (until == null || recorded.recordedAt().isBefore(until));
    }

    private static boolean isOf(UUID segmentId, StateChange change) {
        return change instanceof StateChange.OfSegment ofSegment
                && ofSegment.segmentId().equals(segmentId);
    }
}
