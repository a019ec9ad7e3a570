package dev.shelfmark.tool.audit.walk;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which segments somebody asks about.
 *
 * @param states in which states; at least one
 * @param since last changed at or after, by the broker's clock; null for ever
 * @param until last changed before, by the broker's clock; null for ever
 * @param olderThan whose newest record is older, or of which the newest record's time is not known; null for any
 */
public record SegmentFilter(
        Set<SegmentState> states,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Instant olderThan) {

    /** Everything that is not deleted. */
    public static final SegmentFilter LIVE =
            new SegmentFilter(EnumSet.complementOf(EnumSet.of(SegmentState.DELETE_SEGMENT_FINISHED)), null, null, null);

    public SegmentFilter {
        states = Set.copyOf(states);
    }

    /** Which listings hold what it lets pass: live ones first, so that none is missed that is deleted meanwhile. */
    public List<Kept> kept() {
        List<Kept> kept = new ArrayList<>();
        if (states.stream().anyMatch(SegmentState::live)) {
            kept.add(Kept.LIVE);
        }
        if (states.contains(SegmentState.DELETE_SEGMENT_FINISHED)) {
            kept.add(Kept.DELETED);
        }
        return kept;
    }

    /** Whether it lets a segment pass. */
    public boolean passes(SegmentRecord segment) {
        return states.contains(segment.state())
                && (since == null || segment.eventTimestampMs() >= since.toEpochMilli())
                && (until == null || segment.eventTimestampMs() < until.toEpochMilli())
                && (olderThan == null || segment.maxTimestampMs() < olderThan.toEpochMilli());
    }
}
