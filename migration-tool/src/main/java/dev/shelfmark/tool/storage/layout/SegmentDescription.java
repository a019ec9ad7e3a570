package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a segment's objects say of it, in the terms of {@link SegmentRecord}.
 *
 * @param topic its topic's name when it was uploaded, or null when the layout does not keep it
 * @param startOffset first offset
 * @param endOffset last offset, inclusive
 * @param leaderEpochs the leader epochs within the segment
 * @param maxTimestampMs greatest timestamp of a record, or -1
 * @param sizeInBytes size of the log segment's file
 * @param txnIndexEmpty whether there is no transaction index
 * @param customMetadata the RemoteStorageManager's bytes, or null when none is kept
 * @param brokerId the broker that uploaded it, or {@link #UNKNOWN_BROKER}
 * @param startedMs that broker's clock when the upload began, or -1 when the layout does not keep it
 * @param finishedMs when the upload ended, by the storage's clock, or -1 when that is not known
 */
public record SegmentDescription(
        @Nullable String topic,
        long startOffset,
        long endOffset,
        LeaderEpochs leaderEpochs,
        long maxTimestampMs,
        int sizeInBytes,
        boolean txnIndexEmpty,
        @Nullable CustomMetadata customMetadata,
        int brokerId,
        long startedMs,
        long finishedMs) {

    /** In the place of a broker's id where the layout does not keep it. */
    public static final int UNKNOWN_BROKER = -1;

    public SegmentDescription {
        if (startOffset < 0 || endOffset < startOffset) {
            throw new IllegalArgumentException("offsets " + startOffset + " to " + endOffset);
        }
    }

    /** The record with which its upload began. */
    public SegmentRecord started(UUID segmentId) {
        return SegmentRecord.builder(segmentId, startOffset, endOffset, leaderEpochs)
                .maxTimestampMs(maxTimestampMs)
                .sizeInBytes(sizeInBytes)
                .txnIndexEmpty(txnIndexEmpty)
                .brokerId(brokerId)
                .eventTimestampMs(startedMs >= 0 ? startedMs : eventMs())
                .build();
    }

    /** When its upload was reported as finished, as nearly as that is known; milliseconds since 1970. */
    public long eventMs() {
        return Math.max(0, finishedMs >= 0 ? finishedMs : startedMs);
    }

    /** In one line, for people. */
    public String facts(UUID segmentId) {
        return TextualId.of(segmentId) + " with offsets " + startOffset + " to " + endOffset + ", leader epochs "
                + leaderEpochs + ", " + sizeInBytes + " bytes";
    }
}
