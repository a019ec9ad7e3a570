package dev.shelfmark.tool.kafka;

import org.jspecify.annotations.Nullable;

/** One record of the metadata topic, not looked into. */
public final class MetadataRecord {

    private final int partition;
    private final long offset;
    private final long timestampMs;
    private final byte @Nullable [] value;

    /** Takes the bytes over; null stands for a tombstone. */
    public MetadataRecord(int partition, long offset, long timestampMs, byte @Nullable [] value) {
        this.partition = partition;
        this.offset = offset;
        this.timestampMs = timestampMs;
        this.value = value;
    }

    /** The metadata partition. */
    public int partition() {
        return partition;
    }

    /** Its offset there. */
    public long offset() {
        return offset;
    }

    /** When it was written, for people. */
    public long timestampMs() {
        return timestampMs;
    }

    /** Its bytes, not to be changed, or null for a tombstone. */
    public byte @Nullable [] value() {
        return value;
    }
}
