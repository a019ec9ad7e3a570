package dev.shelfmark.catalogue.index;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next {@link PartitionIndex} of a partition from the one that it made before, or from nothing. Used by one thread at a time.
 * When a method throws, the editor is void.
 */
public final class IndexEditor {

    private final SegmentIds ids = new SegmentIds();
    private final List<SegmentChunk> chunks = new ArrayList<>();

    /** What was put last, by id: a load in order then fills whole chunks at once. */
    private final Map<UUID, SegmentRecord> pending = new LinkedHashMap<>();

    private int size;

    /** Where a segment stands. */
    private record Place(int chunk, int position) {}

    /** Puts a segment in place of the one of its id; a deleted one is taken out. */
    public void put(SegmentRecord segment) {
        pending.put(segment.segmentId(), segment);
        if (pending.size() == SegmentChunk.MAX_SIZE) {
            flush();
        }
    }

    /** The segment of an id, if it is live. */
    public Optional<SegmentRecord> find(UUID id) {
        flush();
        Place place = locate(id);
        return place == null
                ? Optional.empty()
                : Optional.of(chunks.get(place.chunk()).segment(place.position()));
    }

    /** The index as it is now. */
    public PartitionIndex index(PartitionHead head) {
        flush();
        return new PartitionIndex(head, chunks.toArray(new SegmentChunk[0]), size);
    }

    private void flush() {
        if (pending.isEmpty()) {
            return;
        }
        pending.keySet().forEach(this::remove);
        List<SegmentRecord> live = new ArrayList<>(pending.values());
        live.removeIf(segment -> !segment.state().live());
        live.sort(SegmentOrder.BY_START_OFFSET);
        pending.clear();
        ids.reserve(live.size(), this::remembered);
        if (live.isEmpty()) {
            return;
        }
        if (chunks.isEmpty() || isAfter(live.get(0), chunks.size() - 1)) {
            append(live);
        } else {
            live.forEach(this::insert);
        }
    }

    private boolean isAfter(SegmentRecord segment, int chunk) {
        SegmentChunk before = chunks.get(chunk);
        return SegmentOrder.BY_START_OFFSET.compare(before.segment(before.size() - 1), segment) < 0;
    }

    private void append(List<SegmentRecord> segments) {
        List<SegmentRecord> last = new ArrayList<>(SegmentChunk.MAX_SIZE);
        if (!chunks.isEmpty() && chunks.get(chunks.size() - 1).size() < SegmentChunk.MAX_SIZE) {
            last.addAll(chunks.remove(chunks.size() - 1).segments());
        }
        for (SegmentRecord segment : segments) {
            last.add(segment);
            if (last.size() == SegmentChunk.MAX_SIZE) {
                chunks.add(SegmentChunk.of(last));
                last.clear();
            }
        }
        if (!last.isEmpty()) {
            chunks.add(SegmentChunk.of(last));
        }
        segments.forEach(this::remember);
    }

    private void insert(SegmentRecord segment) {
        int target = chunkFor(segment);
        List<SegmentRecord> segments = chunks.get(target).segments();
        int position = Collections.binarySearch(segments, segment, SegmentOrder.BY_START_OFFSET);
        segments.add(position < 0 ? -position - 1 : position, segment);
        if (segments.size() <= SegmentChunk.MAX_SIZE) {
            chunks.set(target, SegmentChunk.of(segments));
        } else {
            int half = segments.size() / 2;
            chunks.set(target, SegmentChunk.of(segments.subList(0, half)));
            chunks.add(target + 1, SegmentChunk.of(segments.subList(half, segments.size())));
        }
        remember(segment);
    }

    private void remember(SegmentRecord segment) {
        ids.add(segment.segmentId(), segment.startOffset());
        size++;
    }

    private void remembered(SegmentIds.Sink sink) {
        for (SegmentChunk chunk : chunks) {
            for (int i = 0; i < chunk.size(); i++) {
                sink.accept(chunk.segment(i).segmentId(), chunk.startOffset(i));
            }
        }
    }

    /** The last chunk that begins at or before the segment, or the first of all. */
    private int chunkFor(SegmentRecord segment) {
        int low = 0;
        int high = chunks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (SegmentOrder.BY_START_OFFSET.compare(chunks.get(middle).segment(0), segment) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void remove(UUID id) {
        Place place = locate(id);
        if (place == null) {
            return;
        }
        ids.remove(id, start -> locate(id, start) != null);
        List<SegmentRecord> rest = chunks.get(place.chunk()).segments();
        rest.remove(place.position());
        if (rest.isEmpty()) {
            chunks.remove(place.chunk());
        } else {
            chunks.set(place.chunk(), SegmentChunk.of(rest));
        }
        size--;
    }

    private @Nullable Place locate(UUID id) {
        long startOffset = ids.find(id, start -> locate(id, start) != null);
        return startOffset < 0 ? null : locate(id, startOffset);
    }

    private @Nullable Place locate(UUID id, long startOffset) {
        for (int c = firstReaching(startOffset);
                c < chunks.size() && chunks.get(c).firstStartOffset() <= startOffset;
                c++) {
            SegmentChunk chunk = chunks.get(c);
            for (int i = chunk.floor(startOffset); i >= 0 && chunk.startOffset(i) == startOffset; i--) {
                if (chunk.hasId(i, id)) {
                    return new Place(c, i);
                }
            }
        }
        return null;
    }

    /** The first chunk whose last segment starts at or after the offset. */
    private int firstReaching(long startOffset) {
        int low = 0;
        int high = chunks.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (chunks.get(middle).lastStartOffset() < startOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
