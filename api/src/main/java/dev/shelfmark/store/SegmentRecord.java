package dev.shelfmark.store;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything a store keeps of one segment of a partition. Equal by value.
 *
 * @param segmentId unique within the partition, chosen by the broker for each upload
 * @param startOffset first offset, from 0
 * @param endOffset last offset, inclusive, not below {@code startOffset}
 * @param leaderEpochs the leader epochs within the segment
 * @param state where the segment stands
 * @param maxTimestampMs highest record timestamp, milliseconds since 1970, or -1
 * @param sizeInBytes size of the log segment's file
 * @param txnIndexEmpty true only when it is known that no transaction was aborted in it
 * @param customMetadata the RemoteStorageManager's own bytes, or null
 * @param brokerId the broker that made the last change
 * @param eventTimestampMs that broker's clock at the last change, milliseconds since 1970; for people, never for ordering
 * @param version the partition's version that this record's last change made
 * @param finishedVersion the partition's version at which the segment first became COPY_SEGMENT_FINISHED, or 0 before; of
 *     two finished segments the higher one was finished later
 */
public record SegmentRecord(
        UUID segmentId,
        long startOffset,
        long endOffset,
        LeaderEpochs leaderEpochs,
        SegmentState state,
        long maxTimestampMs,
        int sizeInBytes,
        boolean txnIndexEmpty,
        @Nullable CustomMetadata customMetadata,
        int brokerId,
        long eventTimestampMs,
        long version,
        long finishedVersion) {

    public SegmentRecord {
        Objects.requireNonNull(segmentId, "segmentId");
        Objects.requireNonNull(leaderEpochs, "leaderEpochs");
        Objects.requireNonNull(state, "state");
        if (startOffset < 0 || endOffset < startOffset) {
            throw new IllegalArgumentException("segment " + TextualId.of(segmentId) + " has offsets " + startOffset
                    + " to " + endOffset + "; they must be from 0 and ascend");
        }
    }

    /** Whether the segment's offsets, in whatever epoch, hold this one. */
    public boolean holds(long offset) {
        return startOffset <= offset && offset <= endOffset;
    }
}
