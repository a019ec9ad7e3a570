package dev.shelfmark.store;

/** A segment's state. Names and order are those of Kafka's {@code RemoteLogSegmentState}. */
public enum SegmentState {
    /** The upload has begun: the segment is listed, but not readable. */
    COPY_SEGMENT_STARTED,
    /** Uploaded: readable. */
    COPY_SEGMENT_FINISHED,
    /** The deletion has begun: listed so that it can be repeated, but not readable. */
    DELETE_SEGMENT_STARTED,
    /** Gone from the remote storage. A store keeps the record for a while, for audits and late repeats. */
    DELETE_SEGMENT_FINISHED;

    /** Whether the segment still counts: it is listed, and an object may exist for it. */
    public boolean live() {
        return this != DELETE_SEGMENT_FINISHED;
    }
}
