package dev.shelfmark.store;

/** A segment's state. Names and order are those of Kafka's {@code RemoteLogSegmentState}. */
public enum SegmentState {
    /** The upload has begun: the segment is listed, but not readable. */
    COPY_SEGMENT_STARTED(0),
    /** Uploaded: readable. */
    COPY_SEGMENT_FINISHED(1),
    /** The deletion has begun: listed so that it can be repeated, but not readable. */
    DELETE_SEGMENT_STARTED(2),
    /** Gone from the remote storage. A store keeps the record for a while, for audits and late repeats. */
    DELETE_SEGMENT_FINISHED(3);

    private static final SegmentState[] BY_CODE = values();

    private final byte code;

    SegmentState(int code) {
        this.code = (byte) code;
    }

    /** Kafka's number for the state, 0 to 3, for compact storage. */
    public byte code() {
        return code;
    }

    /**
     * The state of a number.
     *
     * @throws IllegalArgumentException when no state has it
     */
    public static SegmentState ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no segment state has the number " + code);
        }
        return BY_CODE[code];
    }

    /** Whether the segment still counts: it is listed, and an object may exist for it. */
    public boolean live() {
        return this != DELETE_SEGMENT_FINISHED;
    }
}
