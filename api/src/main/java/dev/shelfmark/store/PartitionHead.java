package dev.shelfmark.store;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a store keeps of a partition beside its segments.
 *
 * @param version raised by one for each change; 0 when nothing was ever written
 * @param topicName the topic's name at the last change: information only
 * @param liveSegments how many segments are not DELETE_SEGMENT_FINISHED. It lets a reader that follows changes see that it
 *     missed a deletion whose record is purged by now, and that a load was complete
 * @param maxOffsetSpan the largest {@code endOffset - startOffset} of any segment that was ever in the partition: a segment
 *     that holds an offset starts at most so far below it, which makes that search a short range of an ordered index
 * @param deletion how far the deletion of the whole partition has come
 * @param highestOffsets by leader epoch, the highest offset that ever reached COPY_SEGMENT_FINISHED; unmodifiable
 */
public record PartitionHead(
        long version,
        String topicName,
        long liveSegments,
        long maxOffsetSpan,
        PartitionDeletion deletion,
        NavigableMap<Integer, Long> highestOffsets) {

    /** Of a partition of which nothing was ever written. */
    public static final PartitionHead NEW =
            new PartitionHead(0, "", 0, 0, PartitionDeletion.NONE, Collections.emptyNavigableMap());

    public PartitionHead {
        Objects.requireNonNull(topicName, "topicName");
        Objects.requireNonNull(deletion, "deletion");
        highestOffsets = Collections.unmodifiableNavigableMap(new TreeMap<>(highestOffsets));
        if (version < 0 || liveSegments < 0 || maxOffsetSpan < 0) {
            throw new IllegalArgumentException("a partition's version, live segments and span are not negative: "
                    + version + ", " + liveSegments + ", " + maxOffsetSpan);
        }
    }
}
