package dev.shelfmark.catalogue;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Partitions, segments and events for tests, named by small numbers. */
public final class Segments {

    public static final String TOPIC = "orders";
    public static final PartitionKey PARTITION = new PartitionKey("cluster-a", new UUID(1, 2), 3);

    private Segments() {}

    public static UUID id(int number) {
        return new UUID(0, number);
    }

    public static SegmentRecord segment(int number, long start, long end, Map<Integer, Long> epochs) {
        return segment(number, start, end, LeaderEpochs.of(new TreeMap<>(epochs)));
    }

    public static SegmentRecord segment(int number, long start, long end, LeaderEpochs epochs) {
        return SegmentRecord.builder(id(number), start, end, epochs)
                .maxTimestampMs(1_000 + end)
                .sizeInBytes(100 + number)
                .brokerId(1)
                .eventTimestampMs(5_000 + number)
                .build();
    }

    public static MetadataEvent add(int number, long start, long end) {
        return new MetadataEvent.AddSegment(segment(number, start, end, Map.of(0, start)));
    }

    public static MetadataEvent add(int number, long start, long end, Map<Integer, Long> epochs) {
        return new MetadataEvent.AddSegment(segment(number, start, end, epochs));
    }

    public static MetadataEvent finish(int number) {
        return to(number, SegmentState.COPY_SEGMENT_FINISHED);
    }

    public static MetadataEvent to(int number, SegmentState state) {
        return new MetadataEvent.UpdateSegment(id(number), state, null, 1, 6_000 + number);
    }

    /** A segment from its first report to the last. */
    public static List<MetadataEvent> deletion(int number) {
        return List.of(
                to(number, SegmentState.DELETE_SEGMENT_STARTED), to(number, SegmentState.DELETE_SEGMENT_FINISHED));
    }
}
