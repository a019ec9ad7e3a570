package dev.shelfmark.tool.mend.rebuild;

import java.util.ArrayList;
import java.util.List;

/**
 * What is done with a segment, and why.
 *
 * @param found the segment
 * @param action what is done
 * @param reason why, without a full stop
 * @param notes what can't be known of it, each without a full stop
 */
record PlannedSegment(FoundSegment found, SegmentAction action, String reason, List<String> notes) {

    PlannedSegment {
        notes = List.copyOf(notes);
    }

    PlannedSegment(FoundSegment found, SegmentAction action, String reason) {
        this(found, action, reason, List.of());
    }

    PlannedSegment with(String note) {
        List<String> more = new ArrayList<>(notes);
        more.add(note);
        return new PlannedSegment(found, action, reason, more);
    }

    /** The same segment, with which something else is done after all. */
    PlannedSegment turned(SegmentAction to, String why) {
        return new PlannedSegment(found, to, why, notes);
    }
}
