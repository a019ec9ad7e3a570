package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Something wrong in a partition.
 *
 * @param kind what
 * @param segmentId the segment's textual id, or null when it is about none
 * @param startOffset the first offset concerned, or null
 * @param endOffset the last, or null
 * @param epoch the leader epoch concerned, or null
 * @param since since when, by a broker's clock, or null
 * @param detail the facts, in a sentence without a full stop
 */
public record Finding(
        AnomalyKind kind,
        @Nullable String segmentId,
        @Nullable Long startOffset,
        @Nullable Long endOffset,
        @Nullable Integer epoch,
        @Nullable Instant since,
        String detail) {

    static Finding ofSegment(AnomalyKind kind, SegmentRecord segment, String detail) {
        return new Finding(
                kind,
                TextualId.of(segment.segmentId()),
                segment.startOffset(),
                segment.endOffset(),
                null,
                Instant.ofEpochMilli(segment.eventTimestampMs()),
                detail);
    }

    static Finding ofPartition(AnomalyKind kind, String detail) {
        return new Finding(kind, null, null, null, null, null, detail);
    }

    /** The same finding, looked for again, is equal to this in what does not move while brokers work. */
    Object identity() {
        return Arrays.asList(kind, segmentId, startOffset, endOffset, epoch);
    }
}
