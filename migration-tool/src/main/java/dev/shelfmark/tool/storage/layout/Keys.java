package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.TextualId;
import java.util.Optional;

/** Parts of keys. */
final class Keys {

    private Keys() {}

    /** Of texts; empty when one of them is not what it should be. */
    static Optional<ObjectName> name(String topicId, String partition, String segmentId, String file) {
        try {
            SegmentName segment =
                    new SegmentName(TextualId.parse(topicId), Integer.parseInt(partition), TextualId.parse(segmentId));
            return Optional.of(new ObjectName(segment, file));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
