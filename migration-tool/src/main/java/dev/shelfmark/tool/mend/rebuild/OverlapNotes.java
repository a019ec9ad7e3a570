package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Says of segments to be brought in which overlap another one: the order in which they were finished is then only as good as the times are. */
final class OverlapNotes {

    private final List<PlannedSegment> changes;
    private final Map<UUID, String> notes = new HashMap<>();

    OverlapNotes(Collection<SegmentRecord> rows, List<PlannedSegment> changes) {
        this.changes = changes;
        List<Range> ranges = new ArrayList<>();
        for (SegmentRecord row : rows) {
            if (row.state() == SegmentState.COPY_SEGMENT_FINISHED) {
                ranges.add(
                        new Range(row.segmentId(), row.startOffset(), row.endOffset(), row.eventTimestampMs(), false));
            }
        }
        for (PlannedSegment change : changes) {
            SegmentDescription described = PartitionPlan.description(change);
            ranges.add(new Range(
                    change.found().name().segmentId(),
                    described.startOffset(),
                    described.endOffset(),
                    described.eventMs(),
                    true));
        }
        ranges.sort(Comparator.comparingLong(Range::start).thenComparingLong(Range::end));
        Range furthest = null;
        for (Range range : ranges) {
            if (furthest != null && furthest.end() >= range.start()) {
                note(range, furthest);
                note(furthest, range);
            }
            furthest = furthest == null || range.end() > furthest.end() ? range : furthest;
        }
    }

    private record Range(UUID id, long start, long end, long finishedMs, boolean brought) {}

    private void note(Range range, Range other) {
        if (!range.brought()) {
            return;
        }
        boolean late = !other.brought() && other.finishedMs() > range.finishedMs();
        notes.putIfAbsent(
                range.id(),
                "overlaps " + TextualId.of(other.id()) + " (" + other.start() + " to " + other.end() + "): "
                        + (late
                                ? "it counts as finished after that one, which the catalogue has already, although it is older"
                                : "which of the two was finished last is taken from the times of their objects"));
    }

    /** The segments, with what is to be said of them. */
    List<PlannedSegment> noted() {
        return changes.stream().map(this::noted).toList();
    }

    private PlannedSegment noted(PlannedSegment change) {
        @Nullable String note = notes.get(change.found().name().segmentId());
        return note == null ? change : change.with(note);
    }
}
