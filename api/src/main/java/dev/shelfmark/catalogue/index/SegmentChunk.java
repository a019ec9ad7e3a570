package dev.shelfmark.catalogue.index;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A few neighbouring segments of a partition in {@link SegmentOrder}, a column each: about 100 bytes a segment where an object each would
 * take several times that. Immutable and never empty, so that a reader needs no lock; a change makes a new chunk.
 */
final class SegmentChunk implements SegmentColumns {

    /** Large enough that a column's header weighs little, small enough that copying one costs a microsecond. */
    static final int MAX_SIZE = 128;

    private static final int STATE_BITS = 0b11;
    private static final int TXN_INDEX_EMPTY_BIT = 0b100;

    private final long[] idHigh;
    private final long[] idLow;
    private final long[] startOffset;
    private final long[] endOffset;
    private final long[] maxTimestampMs;
    private final long[] eventTimestampMs;
    private final long[] version;
    private final long[] finishedVersion;
    private final int[] sizeInBytes;
    private final int[] brokerId;
    private final int[] firstEpoch;
    private final byte[] flags;

    /** Null when every segment has one epoch that starts with it, which {@code firstEpoch} then says all about. */
    private final @Nullable LeaderEpochs @Nullable [] leaderEpochs;

    /** Null when no segment has any. */
    private final @Nullable CustomMetadata @Nullable [] customMetadata;

    private final long maxEndOffset;
    private final int minEpoch;
    private final int maxEpoch;
    private final boolean anyTxnIndex;

    private SegmentChunk(List<SegmentRecord> segments) {
        int size = segments.size();
        idHigh = new long[size];
        idLow = new long[size];
        startOffset = new long[size];
        endOffset = new long[size];
        maxTimestampMs = new long[size];
        eventTimestampMs = new long[size];
        version = new long[size];
        finishedVersion = new long[size];
        sizeInBytes = new int[size];
        brokerId = new int[size];
        firstEpoch = new int[size];
        flags = new byte[size];
        @Nullable LeaderEpochs[] epochs = new LeaderEpochs[size];
        @Nullable CustomMetadata[] custom = new CustomMetadata[size];
        boolean anyEpochs = false;
        boolean anyCustom = false;
        boolean txnIndex = false;
        long maxEnd = Long.MIN_VALUE;
        int lowestEpoch = Integer.MAX_VALUE;
        int highestEpoch = Integer.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            SegmentRecord segment = segments.get(i);
            LeaderEpochs of = segment.leaderEpochs();
            idHigh[i] = segment.segmentId().getMostSignificantBits();
            idLow[i] = segment.segmentId().getLeastSignificantBits();
            startOffset[i] = segment.startOffset();
            endOffset[i] = segment.endOffset();
            maxTimestampMs[i] = segment.maxTimestampMs();
            eventTimestampMs[i] = segment.eventTimestampMs();
            version[i] = segment.version();
            finishedVersion[i] = segment.finishedVersion();
            sizeInBytes[i] = segment.sizeInBytes();
            brokerId[i] = segment.brokerId();
            firstEpoch[i] = of.epoch(0);
            flags[i] = (byte) (segment.state().code() | (segment.txnIndexEmpty() ? TXN_INDEX_EMPTY_BIT : 0));
            if (of.size() > 1 || of.startOffset(0) != segment.startOffset()) {
                epochs[i] = of;
                anyEpochs = true;
            }
            custom[i] = segment.customMetadata();
            anyCustom |= segment.customMetadata() != null;
            txnIndex |= finishedWithTxnIndex(i);
            maxEnd = Math.max(maxEnd, segment.endOffset());
            lowestEpoch = Math.min(lowestEpoch, of.epoch(0));
            highestEpoch = Math.max(highestEpoch, of.epoch(of.size() - 1));
        }
        leaderEpochs = anyEpochs ? epochs : null;
        customMetadata = anyCustom ? custom : null;
        maxEndOffset = maxEnd;
        minEpoch = lowestEpoch;
        maxEpoch = highestEpoch;
        anyTxnIndex = txnIndex;
    }

    /** Of at least one segment, in order. */
    static SegmentChunk of(List<SegmentRecord> segments) {
        return new SegmentChunk(segments);
    }

    int size() {
        return startOffset.length;
    }

    long firstStartOffset() {
        return startOffset[0];
    }

    long lastStartOffset() {
        return startOffset[startOffset.length - 1];
    }

    long maxEndOffset() {
        return maxEndOffset;
    }

    /** Whether some segment may have this epoch. */
    boolean mayHaveEpoch(int epoch) {
        return minEpoch <= epoch && epoch <= maxEpoch;
    }

    /** Whether some segment is finished and may have a transaction index. */
    boolean anyTxnIndex() {
        return anyTxnIndex;
    }

    @Override
    public long startOffset(int i) {
        return startOffset[i];
    }

    @Override
    public long endOffset(int i) {
        return endOffset[i];
    }

    @Override
    public int sizeInBytes(int i) {
        return sizeInBytes[i];
    }

    @Override
    public long idHigh(int i) {
        return idHigh[i];
    }

    @Override
    public long idLow(int i) {
        return idLow[i];
    }

    @Override
    public int firstEpoch(int i) {
        return firstEpoch[i];
    }

    @Override
    public SegmentState state(int i) {
        return SegmentState.ofCode(flags[i] & STATE_BITS);
    }

    @Override
    public long maxTimestampMs(int i) {
        return maxTimestampMs[i];
    }

    @Override
    public boolean txnIndexEmpty(int i) {
        return (flags[i] & TXN_INDEX_EMPTY_BIT) != 0;
    }

    @Override
    public @Nullable CustomMetadata customMetadata(int i) {
        return customMetadata == null ? null : customMetadata[i];
    }

    @Override
    public int brokerId(int i) {
        return brokerId[i];
    }

    @Override
    public long eventTimestampMs(int i) {
        return eventTimestampMs[i];
    }

    long finishedVersion(int i) {
        return finishedVersion[i];
    }

    boolean finished(int i) {
        return (flags[i] & STATE_BITS) == SegmentState.COPY_SEGMENT_FINISHED.code();
    }

    boolean finishedWithTxnIndex(int i) {
        return finished(i) && (flags[i] & TXN_INDEX_EMPTY_BIT) == 0;
    }

    boolean hasId(int i, UUID id) {
        return idHigh[i] == id.getMostSignificantBits() && idLow[i] == id.getLeastSignificantBits();
    }

    boolean hasEpoch(int i, int epoch) {
        LeaderEpochs epochs = epochs(i);
        return epochs == null ? firstEpoch[i] == epoch : epochs.position(epoch) >= 0;
    }

    /** Whether the segment's range within the epoch holds the offset. */
    boolean holds(int i, int epoch, long offset) {
        LeaderEpochs epochs = epochs(i);
        if (epochs == null) {
            return firstEpoch[i] == epoch && startOffset[i] <= offset && offset <= endOffset[i];
        }
        return epochs.holds(epochs.position(epoch), offset, endOffset[i]);
    }

    /** The first offset of the segment's range within an epoch that it has. */
    long firstOffset(int i, int epoch) {
        LeaderEpochs epochs = epochs(i);
        return epochs == null ? startOffset[i] : Math.max(startOffset[i], epochs.startOffset(epochs.position(epoch)));
    }

    /** The last offset of the segment's range within an epoch that it has. */
    long lastOffset(int i, int epoch) {
        LeaderEpochs epochs = epochs(i);
        return epochs == null ? endOffset[i] : epochs.heldEndOffset(epochs.position(epoch), endOffset[i]);
    }

    /** Whether the segment has records of the epoch at or after the offset. */
    boolean reaches(int i, int epoch, long offset) {
        LeaderEpochs epochs = epochs(i);
        if (epochs == null) {
            return firstEpoch[i] == epoch && endOffset[i] >= offset;
        }
        int position = epochs.position(epoch);
        if (position < 0) {
            return false;
        }
        long end = epochs.heldEndOffset(position, endOffset[i]);
        return end >= offset && end >= epochs.startOffset(position);
    }

    /** The last position whose segment starts at or before the offset, or -1. */
    int floor(long offset) {
        int low = 0;
        int high = startOffset.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (startOffset[middle] <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    @Override
    public SegmentRecord segment(int i) {
        LeaderEpochs epochs = epochs(i);
        return SegmentRecord.builder(
                        new UUID(idHigh[i], idLow[i]),
                        startOffset[i],
                        endOffset[i],
                        epochs == null ? LeaderEpochs.of(firstEpoch[i], startOffset[i]) : epochs)
                .state(state(i))
                .maxTimestampMs(maxTimestampMs[i])
                .sizeInBytes(sizeInBytes[i])
                .txnIndexEmpty(txnIndexEmpty(i))
                .customMetadata(customMetadata(i))
                .brokerId(brokerId[i])
                .eventTimestampMs(eventTimestampMs[i])
                .version(version[i])
                .finishedVersion(finishedVersion[i])
                .build();
    }

    /** All segments, in a new list. */
    List<SegmentRecord> segments() {
        List<SegmentRecord> all = new ArrayList<>(size() + 1);
        for (int i = 0; i < size(); i++) {
            all.add(segment(i));
        }
        return all;
    }

    @Override
    public @Nullable LeaderEpochs epochs(int i) {
        return leaderEpochs == null ? null : leaderEpochs[i];
    }
}
