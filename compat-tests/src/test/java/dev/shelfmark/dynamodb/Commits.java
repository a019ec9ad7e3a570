package dev.shelfmark.dynamodb;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Small commits to a partition of a cluster of their own. */
final class Commits {

    private Commits() {}

    static PartitionKey partition() {
        return new PartitionKey("cluster-" + UUID.randomUUID(), UUID.randomUUID(), 3);
    }

    static SegmentRecord segment(long id, long startOffset, SegmentState state, long version) {
        return SegmentRecord.builder(
                        new UUID(7, id),
                        startOffset,
                        startOffset + 99,
                        LeaderEpochs.of(new TreeMap<>(Map.of(4, startOffset, 5, startOffset + 50))))
                .state(state)
                .maxTimestampMs(1_767_225_600_000L)
                .sizeInBytes(1_073_741_824)
                .customMetadata(CustomMetadata.of(new byte[40]))
                .brokerId(2)
                .eventTimestampMs(1_767_225_601_000L)
                .version(version)
                .finishedVersion(state == SegmentState.COPY_SEGMENT_STARTED ? 0 : version)
                .build();
    }

    static PartitionCommit commit(long expected, long live, Map<Integer, Long> highest, SegmentRecord... segments) {
        long version = expected + Math.max(1, segments.length);
        PartitionHead head =
                new PartitionHead(version, "orders", live, 99, PartitionDeletion.NONE, new TreeMap<>(highest));
        // As the catalogue stamps them, whatever versions a test has given them.
        List<StateChange> changes = IntStream.range(0, segments.length)
                .<StateChange>mapToObj(i -> new StateChange.OfSegment(
                        expected + 1 + i,
                        segments[i].segmentId(),
                        before(segments[i].state()),
                        segments[i].state(),
                        segments[i].brokerId(),
                        segments[i].eventTimestampMs()))
                .toList();
        return new PartitionCommit(expected, head, List.of(segments), changes);
    }

    private static @Nullable SegmentState before(SegmentState state) {
        return switch (state) {
            case COPY_SEGMENT_STARTED -> null;
            case COPY_SEGMENT_FINISHED -> SegmentState.COPY_SEGMENT_STARTED;
            case DELETE_SEGMENT_STARTED -> SegmentState.COPY_SEGMENT_FINISHED;
            case DELETE_SEGMENT_FINISHED -> SegmentState.DELETE_SEGMENT_STARTED;
        };
    }
}
