package dev.shelfmark.jdbc;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Records for tests. */
final class Fixtures {

    private Fixtures() {}

    static PartitionKey partition() {
        return new PartitionKey("cluster-a", UUID.randomUUID(), 0);
    }

    static PartitionHead head(long version, Map<Integer, Long> highestOffsets) {
        return new PartitionHead(version, "topic", 1, 99, PartitionDeletion.NONE, new TreeMap<>(highestOffsets));
    }

    static PartitionHead head(long version) {
        return head(version, Map.of());
    }

    static SegmentRecord segment(long startOffset, SegmentState state, long version) {
        return SegmentRecord.builder(UUID.randomUUID(), startOffset, startOffset + 99, LeaderEpochs.of(3, startOffset))
                .state(state)
                .maxTimestampMs(1_700_000_000_000L)
                .sizeInBytes(1024)
                .customMetadata(CustomMetadata.of(new byte[] {0, 1, -1}))
                .brokerId(7)
                .eventTimestampMs(1_700_000_000_001L)
                .version(version)
                .build();
    }

    static SegmentRecord with(SegmentRecord segment, SegmentState state, long version) {
        return segment.toBuilder().state(state).version(version).build();
    }

    static CommitResult commit(CatalogueStore store, PartitionKey key, long expected, SegmentRecord... segments) {
        return store.commit(key, new PartitionCommit(expected, head(expected + 1), List.of(segments), List.of()));
    }

    /** What a read hands over, in its order. */
    static List<SegmentRecord> read(CatalogueStore store, PartitionKey key, Selection selection) {
        List<SegmentRecord> segments = new ArrayList<>();
        store.read(key, selection, segments::add);
        return segments;
    }

    static BrokerHeartbeat heartbeat(String clusterId) {
        return new BrokerHeartbeat(
                clusterId,
                1,
                "start-1",
                7,
                BrokerHeartbeat.Mode.BRIDGE,
                "1.0",
                null,
                0,
                Duration.ofSeconds(10),
                Instant.EPOCH,
                "");
    }
}
