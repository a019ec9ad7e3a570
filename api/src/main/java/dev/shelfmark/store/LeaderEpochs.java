package dev.shelfmark.store;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The leader epochs of one segment, ascending, each with the offset at which it starts within the segment. Two neighbours
 * with one start offset are an empty epoch followed by a filled one; Kafka keeps both, and so do we. Immutable, two arrays:
 * a broker may hold millions of them.
 */
public final class LeaderEpochs {

    private final int[] epochs;
    private final long[] startOffsets;

    private LeaderEpochs(int[] epochs, long[] startOffsets) {
        if (epochs.length == 0 || epochs.length != startOffsets.length) {
            throw new IllegalArgumentException("a segment has at least one leader epoch, each with a start offset; got "
                    + epochs.length + " epochs and " + startOffsets.length + " offsets");
        }
        for (int i = 1; i < epochs.length; i++) {
            if (epochs[i - 1] >= epochs[i]) {
                throw new IllegalArgumentException("leader epochs must ascend: " + epochs[i - 1] + ", " + epochs[i]);
            }
        }
        this.epochs = epochs;
        this.startOffsets = startOffsets;
    }

    /** A single epoch. */
    public static LeaderEpochs of(int epoch, long startOffset) {
        return new LeaderEpochs(new int[] {epoch}, new long[] {startOffset});
    }

    /** From epoch to start offset, in the map's natural order. */
    public static LeaderEpochs of(SortedMap<Integer, Long> startOffsetByEpoch) {
        int[] epochs = new int[startOffsetByEpoch.size()];
        long[] startOffsets = new long[epochs.length];
        int i = 0;
        for (Map.Entry<Integer, Long> entry : startOffsetByEpoch.entrySet()) {
            epochs[i] = entry.getKey();
            startOffsets[i++] = entry.getValue();
        }
        return new LeaderEpochs(epochs, startOffsets);
    }

    /** From parallel arrays, ascending by epoch; both are copied. */
    public static LeaderEpochs of(int[] epochs, long[] startOffsets) {
        return new LeaderEpochs(epochs.clone(), startOffsets.clone());
    }

    /** How many epochs there are, at least one. */
    public int size() {
        return epochs.length;
    }

    /** The epoch at a position from 0. */
    public int epoch(int position) {
        return epochs[position];
    }

    /** The start offset of the epoch at a position from 0. */
    public long startOffset(int position) {
        return startOffsets[position];
    }

    /** The position of an epoch, or a negative number when the segment does not have it. */
    public int position(int epoch) {
        return Arrays.binarySearch(epochs, epoch);
    }

    /**
     * The last offset of the epoch at a position: one before the next epoch's start, or the segment's end for the last. Less
     * than its start when the epoch is empty.
     *
     * <p>This is Kafka's own rule, and it is not cut off at the segment's end: of a segment whose epochs contradict its end, as none should be,
     * the answers and the highest offsets are still those of Kafka's metadata topic. Who needs offsets that the segment really holds asks
     * {@link #heldEndOffset}.
     */
    public long endOffset(int position, long segmentEndOffset) {
        return position + 1 < epochs.length ? startOffsets[position + 1] - 1 : segmentEndOffset;
    }

    /** As {@link #endOffset}, but never beyond the segment's end. */
    public long heldEndOffset(int position, long segmentEndOffset) {
        return Math.min(segmentEndOffset, endOffset(position, segmentEndOffset));
    }

    /** Whether the epoch at a position has this offset, by {@link #endOffset}; a negative position is no epoch of the segment and has none. */
    public boolean holds(int position, long offset, long segmentEndOffset) {
        return position >= 0 && startOffsets[position] <= offset && offset <= endOffset(position, segmentEndOffset);
    }

    /** As a new map, from epoch to start offset. */
    public NavigableMap<Integer, Long> toMap() {
        NavigableMap<Integer, Long> map = new TreeMap<>();
        for (int i = 0; i < epochs.length; i++) {
            map.put(epochs[i], startOffsets[i]);
        }
        return map;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LeaderEpochs that
                && Arrays.equals(epochs, that.epochs)
                && Arrays.equals(startOffsets, that.startOffsets);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(epochs) + Arrays.hashCode(startOffsets);
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
