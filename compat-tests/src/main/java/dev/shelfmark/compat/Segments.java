package dev.shelfmark.compat;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Segment records for tests: ordinary in everything that a test does not name. */
final class Segments {

    private Segments() {}

    /** A new segment of these offsets, COPY_SEGMENT_STARTED. */
    static SegmentRecord started(long startOffset, long endOffset) {
        return started(UUID.randomUUID(), startOffset, endOffset, LeaderEpochs.of(3, startOffset));
    }

    static SegmentRecord started(UUID id, long startOffset, long endOffset, LeaderEpochs epochs) {
        return SegmentRecord.builder(id, startOffset, endOffset, epochs)
                .maxTimestampMs(1_700_000_000_000L)
                .sizeInBytes(1_048_576)
                .brokerId(1)
                .eventTimestampMs(1_700_000_000_500L)
                .build();
    }

    /** A new segment of these offsets, COPY_SEGMENT_FINISHED. */
    static SegmentRecord finished(long startOffset, long endOffset) {
        return in(SegmentState.COPY_SEGMENT_FINISHED, started(startOffset, endOffset));
    }

    static SegmentRecord in(SegmentState state, SegmentRecord segment) {
        return copy(segment, state, segment.customMetadata(), segment.version(), segment.finishedVersion());
    }

    static SegmentRecord with(@Nullable CustomMetadata customMetadata, SegmentRecord segment) {
        return copy(segment, segment.state(), customMetadata, segment.version(), segment.finishedVersion());
    }

    /** As changed by the partition's change of this number; a segment is finished once. */
    static SegmentRecord at(long version, SegmentRecord segment) {
        boolean finishes = segment.state() == SegmentState.COPY_SEGMENT_FINISHED && segment.finishedVersion() == 0;
        return copy(
                segment,
                segment.state(),
                segment.customMetadata(),
                version,
                finishes ? version : segment.finishedVersion());
    }

    static SegmentRecord withoutTxnIndex(SegmentRecord segment) {
        return segment.toBuilder().txnIndexEmpty(true).build();
    }

    static SegmentRecord reportedBy(int brokerId, long eventTimestampMs, SegmentRecord segment) {
        return segment.toBuilder()
                .brokerId(brokerId)
                .eventTimestampMs(eventTimestampMs)
                .build();
    }

    private static SegmentRecord copy(
            SegmentRecord segment,
            SegmentState state,
            @Nullable CustomMetadata customMetadata,
            long version,
            long finishedVersion) {
        return segment.toBuilder()
                .state(state)
                .customMetadata(customMetadata)
                .version(version)
                .finishedVersion(finishedVersion)
                .build();
    }
}
