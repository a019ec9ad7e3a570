package dev.shelfmark.catalogue;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Partitions, segments and events for tests, named by small numbers. */
final class Segments {

    static final String TOPIC = "orders";
    static final PartitionKey PARTITION = new PartitionKey("cluster-a", new UUID(1, 2), 3);

    private Segments() {}

    static UUID id(int number) {
        return new UUID(0, number);
    }

    static SegmentRecord segment(int number, long start, long end, Map<Integer, Long> epochs) {
        return segment(number, start, end, LeaderEpochs.of(new TreeMap<>(epochs)));
    }

    static SegmentRecord segment(int number, long start, long end, LeaderEpochs epochs) {
        return new SegmentRecord(
                id(number),
                start,
                end,
                epochs,
                SegmentState.COPY_SEGMENT_STARTED,
                1_000 + end,
                100 + number,
                false,
                null,
                1,
                5_000 + number,
                0,
                0);
    }

    static PartitionEvent add(int number, long start, long end) {
        return new PartitionEvent.AddSegment(segment(number, start, end, Map.of(0, start)));
    }

    static PartitionEvent add(int number, long start, long end, Map<Integer, Long> epochs) {
        return new PartitionEvent.AddSegment(segment(number, start, end, epochs));
    }

    static PartitionEvent finish(int number) {
        return to(number, SegmentState.COPY_SEGMENT_FINISHED);
    }

    static PartitionEvent to(int number, SegmentState state) {
        return new PartitionEvent.UpdateSegment(id(number), state, null, 1, 6_000 + number);
    }

    /** A segment from its first report to the last. */
    static List<PartitionEvent> deletion(int number) {
        return List.of(
                to(number, SegmentState.DELETE_SEGMENT_STARTED), to(number, SegmentState.DELETE_SEGMENT_FINISHED));
    }
}
