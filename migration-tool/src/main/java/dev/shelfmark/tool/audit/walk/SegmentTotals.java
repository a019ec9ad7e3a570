package dev.shelfmark.tool.audit.walk;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sums segments up, in memory of fixed size. */
public final class SegmentTotals {

    private final long grownSinceMs;
    private final long[] byState = new long[SegmentState.values().length];
    private long segments;
    private long bytes;
    private long startOffset = Long.MAX_VALUE;
    private long endOffset = -1;
    private long oldestMs = Long.MAX_VALUE;
    private long newestMs = -1;
    private long grownSegments;
    private long grownBytes;

    /** @param grownSince segments that were finished since then count as growth */
    public SegmentTotals(Instant grownSince) {
        this.grownSinceMs = grownSince.toEpochMilli();
    }

    /** Adds a segment. */
    public void add(SegmentRecord segment) {
        segments++;
        bytes += segment.sizeInBytes();
        byState[segment.state().code()]++;
        startOffset = Math.min(startOffset, segment.startOffset());
        endOffset = Math.max(endOffset, segment.endOffset());
        if (segment.maxTimestampMs() >= 0) {
            oldestMs = Math.min(oldestMs, segment.maxTimestampMs());
            newestMs = Math.max(newestMs, segment.maxTimestampMs());
        }
        if (segment.state() == SegmentState.COPY_SEGMENT_FINISHED && segment.eventTimestampMs() >= grownSinceMs) {
            grownSegments++;
            grownBytes += segment.sizeInBytes();
        }
    }

    /** Adds what another has summed up. */
    public void add(SegmentTotals other) {
        segments += other.segments;
        bytes += other.bytes;
        for (int i = 0; i < byState.length; i++) {
            byState[i] += other.byState[i];
        }
        startOffset = Math.min(startOffset, other.startOffset);
        endOffset = Math.max(endOffset, other.endOffset);
        oldestMs = Math.min(oldestMs, other.oldestMs);
        newestMs = Math.max(newestMs, other.newestMs);
        grownSegments += other.grownSegments;
        grownBytes += other.grownBytes;
    }

    public long segments() {
        return segments;
    }

    /** Summed sizes of the log segments' files. */
    public long bytes() {
        return bytes;
    }

    /** How many are in a state. */
    public long in(SegmentState state) {
        return byState[state.code()];
    }

    /** The lowest start offset, or null when there is no segment. */
    public @Nullable Long startOffset() {
        return segments == 0 ? null : startOffset;
    }

    /** The highest end offset, or null when there is no segment. */
    public @Nullable Long endOffset() {
        return segments == 0 ? null : endOffset;
    }

    /** The lowest of the segments' highest record timestamps, or null when none has one. */
    public @Nullable Instant oldest() {
        return newestMs < 0 ? null : Instant.ofEpochMilli(oldestMs);
    }

    /** The highest record timestamp, or null when there is none. */
    public @Nullable Instant newest() {
        return newestMs < 0 ? null : Instant.ofEpochMilli(newestMs);
    }

    public long grownSegments() {
        return grownSegments;
    }

    public long grownBytes() {
        return grownBytes;
    }
}
