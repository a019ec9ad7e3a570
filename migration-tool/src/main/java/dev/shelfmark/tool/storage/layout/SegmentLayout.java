package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.tool.storage.ObjectContents;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * How one RemoteStorageManager lays out what it keeps. Stateless, used by many threads; has a public constructor without parameters and is
 * named in {@code META-INF/services}.
 */
public interface SegmentLayout {

    /** The name by which {@code --layout} chooses it, such as {@code aiven}. */
    String name();

    /** This layout with what an operator said of it; itself when it has nothing to be told. */
    default SegmentLayout with(LayoutSettings settings) {
        return this;
    }

    /** What a key says; empty when it is not that of a segment's object. */
    Optional<ObjectName> parse(String key);

    /** The files without which a segment does not count. */
    Set<String> required();

    /**
     * The keys of a segment's required objects, in the order in which they are uploaded.
     *
     * @param prefix what the RemoteStorageManager puts before every key
     */
    List<String> keys(String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId);

    /**
     * What a segment's objects say of it.
     *
     * @param segment has all {@link #required} files
     * @param contents reads the objects
     * @throws UnreadableSegmentException when an object can't be understood, or is of another segment
     * @throws IOException when an object can't be read
     */
    SegmentDescription describe(StoredSegment segment, ObjectContents contents)
            throws UnreadableSegmentException, IOException;

    /** Every layout on the class path, by name. */
    static Map<String, SegmentLayout> all() {
        Map<String, SegmentLayout> layouts = new TreeMap<>();
        ServiceLoader.load(SegmentLayout.class).forEach(layout -> layouts.put(layout.name(), layout));
        return layouts;
    }
}
