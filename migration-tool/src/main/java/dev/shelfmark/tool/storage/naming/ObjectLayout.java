package dev.shelfmark.tool.storage.naming;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a RemoteStorageManager names its objects.
 *
 * <p>Objects are matched to segments by the ids in their keys, so that a topic that has another name now, and a prefix that has
 * changed since, do no harm.
 */
public interface ObjectLayout {

    /** What it is, for people. */
    String description();

    /** The files that every segment has. */
    List<String> files();

    /** The keys of a segment's objects, in the order of {@link #files()}. */
    List<String> keys(String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId);

    /** What a key says; empty when it is not of this layout. */
    Optional<ObjectName> parse(String key);

    /**
     * What an object's key says.
     *
     * @param segmentId the segment that it belongs to
     * @param topicId the topic that the segment is of; null when the layout does not name it
     * @param file which of the segment's files it is; empty when there is only one
     */
    record ObjectName(UUID segmentId, @Nullable UUID topicId, String file) {}
}
