package dev.shelfmark.catalogue.index;

import dev.shelfmark.store.PartitionHead;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A partition's head and live segments at one version, and the answers that they give. What they say never changes: readers share it
 * without a lock, and an iterator goes on over what was there when it was asked for.
 */
public final class PartitionIndex {

    private final PartitionHead head;
    private final SegmentChunk[] chunks;

    /** The chunks' first start offsets side by side, for the search. */
    private final long[] firstStartOffsets;

    private final int size;

    /** Null until a consumer reads on; a field of its own for each index, so that no answer outlives what it was read from. */
    private volatile @Nullable KeptAnswer kept;

    /** The offset after the segment that was answered last: only a hint, so that lookups here and there leave nothing behind. */
    private long readsOnFrom = -1;

    PartitionIndex(PartitionHead head, SegmentChunk[] chunks, int size) {
        this.head = head;
        this.chunks = chunks;
        this.size = size;
        this.firstStartOffsets = new long[chunks.length];
        for (int i = 0; i < chunks.length; i++) {
            firstStartOffsets[i] = chunks[i].firstStartOffset();
        }
    }

    public PartitionHead head() {
        return head;
    }

    /** How many segments there are. */
    public int size() {
        return size;
    }

    /**
     * Among the finished segments whose range within the epoch holds the offset, the one finished last. Within one epoch an offset always
     * names the same record, so any of them is right, and the newest is the one least likely to be on its way out.
     *
     * @param as makes the answer; one reader's answer for a segment may be handed out again, to any caller with the same reader
     */
    public <T> Optional<T> lookup(int epoch, long offset, SegmentColumns.Reader<T> as) {
        KeptAnswer again = kept;
        if (again != null && again.answers(epoch, offset, as)) {
            return again.answer(as);
        }
        SegmentChunk bestChunk = null;
        int best = -1;
        // A segment that holds the offset starts at most the largest span below it: whatever is further down can't.
        long lowestStart = offset - head.maxOffsetSpan();
        for (int c = chunkFloor(offset); c >= 0 && chunks[c].lastStartOffset() >= lowestStart; c--) {
            SegmentChunk chunk = chunks[c];
            if (chunk.maxEndOffset() < offset) {
                continue;
            }
            for (int i = chunk.floor(offset); i >= 0 && chunk.startOffset(i) >= lowestStart; i--) {
                if (chunk.endOffset(i) >= offset
                        && chunk.finished(i)
                        && chunk.holds(i, epoch, offset)
                        && (bestChunk == null || chunk.finishedVersion(i) > bestChunk.finishedVersion(best))) {
                    bestChunk = chunk;
                    best = i;
                }
            }
        }
        if (bestChunk == null) {
            return Optional.empty();
        }
        Optional<T> answer = Optional.of(as.read(bestChunk, best));
        keep(bestChunk, best, epoch, answer, as);
        return answer;
    }

    /**
     * An answer, and the offsets of an epoch that have it: a consumer that reads on asks for each segment many times, and for the next one
     * when it has come to its end.
     *
     * @param as who made it
     * @param epoch the epoch
     * @param from the first of the offsets
     * @param to the last of the offsets
     * @param answer what was made
     */
    private record KeptAnswer(SegmentColumns.Reader<?> as, int epoch, long from, long to, Optional<?> answer) {

        boolean answers(int wantedEpoch, long offset, SegmentColumns.Reader<?> reader) {
            return as == reader && epoch == wantedEpoch && from <= offset && offset <= to;
        }

        /** For the reader that made it, which makes nothing but this type. */
        @SuppressWarnings("unchecked")
        <T> Optional<T> answer(SegmentColumns.Reader<T> unused) {
            return (Optional<T>) answer;
        }
    }

    private <T> void keep(
            SegmentChunk chunk, int position, int epoch, Optional<T> answer, SegmentColumns.Reader<T> as) {
        boolean readsOn = chunk.startOffset(position) <= readsOnFrom && readsOnFrom - 1 <= chunk.endOffset(position);
        readsOnFrom = chunk.endOffset(position) + 1;
        if (!readsOn) {
            return;
        }
        long from = chunk.firstOffset(position, epoch);
        long to = chunk.lastOffset(position, epoch);
        if (noOtherReaches(chunk, position, from, to)) {
            kept = new KeptAnswer(as, epoch, from, to, answer);
        }
    }

    /** Whether no other finished segment has any of the offsets, so that all of them are answered alike. */
    private boolean noOtherReaches(SegmentChunk chunk, int position, long from, long to) {
        long lowestStart = from - head.maxOffsetSpan();
        for (int c = chunkFloor(to); c >= 0 && chunks[c].lastStartOffset() >= lowestStart; c--) {
            SegmentChunk other = chunks[c];
            for (int i = other.floor(to); i >= 0 && other.startOffset(i) >= lowestStart; i--) {
                boolean same = other == chunk && i == position;
                if (!same && other.endOffset(i) >= from && other.finished(i)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * The first finished segment, by start offset, that may have a transaction index and has records of the epoch at or after the offset.
     */
    public <T> Optional<T> nextWithTxnIndex(int epoch, long offset, SegmentColumns.Reader<T> as) {
        for (int c = Math.max(0, chunkFloor(offset - head.maxOffsetSpan() - 1)); c < chunks.length; c++) {
            SegmentChunk chunk = chunks[c];
            if (!chunk.anyTxnIndex() || chunk.maxEndOffset() < offset || !chunk.mayHaveEpoch(epoch)) {
                continue;
            }
            for (int i = 0; i < chunk.size(); i++) {
                if (chunk.finishedWithTxnIndex(i) && chunk.reaches(i, epoch, offset)) {
                    return Optional.of(as.read(chunk, i));
                }
            }
        }
        return Optional.empty();
    }

    /** Every segment, in order. */
    public <T> Iterator<T> list(SegmentColumns.Reader<T> as) {
        return new Segments<>(as) {
            @Override
            boolean wants(SegmentChunk chunk) {
                return true;
            }

            @Override
            boolean wants(SegmentChunk chunk, int i) {
                return true;
            }
        };
    }

    /** Every segment that has the epoch, in order. */
    public <T> Iterator<T> list(int epoch, SegmentColumns.Reader<T> as) {
        return new Segments<>(as) {
            @Override
            boolean wants(SegmentChunk chunk) {
                return chunk.mayHaveEpoch(epoch);
            }

            @Override
            boolean wants(SegmentChunk chunk, int i) {
                return chunk.hasEpoch(i, epoch);
            }
        };
    }

    /** The summed size in bytes of the segments that have the epoch, whatever their state, each with its whole size. */
    public long sizeInBytes(int epoch) {
        long sum = 0;
        for (SegmentChunk chunk : chunks) {
            for (int i = 0; chunk.mayHaveEpoch(epoch) && i < chunk.size(); i++) {
                sum += chunk.hasEpoch(i, epoch) ? chunk.sizeInBytes(i) : 0;
            }
        }
        return sum;
    }

    /** The last chunk that starts at or before the offset, or -1. */
    private int chunkFloor(long offset) {
        int low = 0;
        int high = firstStartOffsets.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (firstStartOffsets[middle] <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Walks the chunks, making each answer only when it is asked for. */
    private abstract class Segments<T> implements Iterator<T> {
        private final SegmentColumns.Reader<T> as;
        private int chunk;
        private int position;

        Segments(SegmentColumns.Reader<T> as) {
            this.as = as;
        }

        abstract boolean wants(SegmentChunk chunk);

        abstract boolean wants(SegmentChunk chunk, int i);

        /** Whether the place stands on a segment to hand out; moves it there from where it was left. */
        private boolean settle() {
            for (; chunk < chunks.length; chunk++, position = 0) {
                if (!wants(chunks[chunk])) {
                    continue;
                }
                for (; position < chunks[chunk].size(); position++) {
                    if (wants(chunks[chunk], position)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean hasNext() {
            return settle();
        }

        @Override
        public T next() {
            if (!settle()) {
                throw new NoSuchElementException();
            }
            return as.read(chunks[chunk], position++);
        }
    }
}
