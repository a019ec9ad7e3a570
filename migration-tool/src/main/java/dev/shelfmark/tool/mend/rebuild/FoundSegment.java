package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.storage.layout.SegmentDescription;
import dev.shelfmark.tool.storage.layout.SegmentName;
import org.jspecify.annotations.Nullable;

/**
 * A segment of the remote storage.
 *
 * @param name which
 * @param description what its objects say of it, or null when they don't
 * @param trouble what is done with one that has no description; null for one that has
 * @param reason why, without a full stop; empty for one that has a description
 */
record FoundSegment(
        SegmentName name,
        @Nullable SegmentDescription description,
        @Nullable SegmentAction trouble,
        String reason) {

    static FoundSegment described(SegmentName name, SegmentDescription description) {
        return new FoundSegment(name, description, null, "");
    }

    static FoundSegment troubled(SegmentName name, SegmentAction action, String reason) {
        return new FoundSegment(name, null, action, reason);
    }
}
