package dev.shelfmark.catalogue.index;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import org.jspecify.annotations.Nullable;

/**
 * Segments side by side, each value of a segment by its position: what an answer in the caller's own type is made from, without a
 * record in between.
 */
public interface SegmentColumns {

    /** Makes an answer of the segment at a position. */
    @FunctionalInterface
    interface Reader<T> {
        T read(SegmentColumns segments, int position);
    }

    /** The upper half of the segment's id. */
    long idHigh(int position);

    /** The lower half of the segment's id. */
    long idLow(int position);

    long startOffset(int position);

    long endOffset(int position);

    /** The first leader epoch. */
    int firstEpoch(int position);

    /** All leader epochs; null when there is one, which starts with the segment. */
    @Nullable
    LeaderEpochs epochs(int position);

    SegmentState state(int position);

    long maxTimestampMs(int position);

    int sizeInBytes(int position);

    boolean txnIndexEmpty(int position);

    @Nullable
    CustomMetadata customMetadata(int position);

    int brokerId(int position);

    long eventTimestampMs(int position);

    /** All of it. */
    SegmentRecord segment(int position);
}
