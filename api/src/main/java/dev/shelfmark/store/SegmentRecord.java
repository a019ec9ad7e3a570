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

    /**
     * Begins a record. What is not set is that of a copy that has just begun: COPY_SEGMENT_STARTED, no timestamp, no size, perhaps a
     * transaction index, no custom metadata, broker 0, no version.
     *
     * @throws NullPointerException later, from {@link Builder#build}, when something other than custom metadata is null
     */
    public static Builder builder(UUID segmentId, long startOffset, long endOffset, LeaderEpochs leaderEpochs) {
        return new Builder(segmentId, startOffset, endOffset, leaderEpochs);
    }

    /** Begins a record that is like this one in all that is not set. */
    public Builder toBuilder() {
        return builder(segmentId, startOffset, endOffset, leaderEpochs)
                .state(state)
                .maxTimestampMs(maxTimestampMs)
                .sizeInBytes(sizeInBytes)
                .txnIndexEmpty(txnIndexEmpty)
                .customMetadata(customMetadata)
                .brokerId(brokerId)
                .eventTimestampMs(eventTimestampMs)
                .version(version)
                .finishedVersion(finishedVersion);
    }

    /** Collects the components of a record by their names; for one thread. {@link SegmentRecord} says what each means. */
    public static final class Builder {

        private final UUID segmentId;
        private final long startOffset;
        private final long endOffset;
        private final LeaderEpochs leaderEpochs;
        private SegmentState state = SegmentState.COPY_SEGMENT_STARTED;
        private long maxTimestampMs = -1;
        private int sizeInBytes;
        private boolean txnIndexEmpty;
        private @Nullable CustomMetadata customMetadata;
        private int brokerId;
        private long eventTimestampMs;
        private long version;
        private long finishedVersion;

        private Builder(UUID segmentId, long startOffset, long endOffset, LeaderEpochs leaderEpochs) {
            this.segmentId = segmentId;
            this.startOffset = startOffset;
            this.endOffset = endOffset;
            this.leaderEpochs = leaderEpochs;
        }

        public Builder state(SegmentState value) {
            state = value;
            return this;
        }

        public Builder maxTimestampMs(long value) {
            maxTimestampMs = value;
            return this;
        }

        public Builder sizeInBytes(int value) {
            sizeInBytes = value;
            return this;
        }

        public Builder txnIndexEmpty(boolean value) {
            txnIndexEmpty = value;
            return this;
        }

        public Builder customMetadata(@Nullable CustomMetadata value) {
            customMetadata = value;
            return this;
        }

        public Builder brokerId(int value) {
            brokerId = value;
            return this;
        }

        public Builder eventTimestampMs(long value) {
            eventTimestampMs = value;
            return this;
        }

        public Builder version(long value) {
            version = value;
            return this;
        }

        public Builder finishedVersion(long value) {
            finishedVersion = value;
            return this;
        }

        /**
         * The record.
         *
         * @throws IllegalArgumentException when the offsets are below 0 or do not ascend
         */
        public SegmentRecord build() {
            return new SegmentRecord(
                    segmentId,
                    startOffset,
                    endOffset,
                    leaderEpochs,
                    state,
                    maxTimestampMs,
                    sizeInBytes,
                    txnIndexEmpty,
                    customMetadata,
                    brokerId,
                    eventTimestampMs,
                    version,
                    finishedVersion);
        }
    }
}
