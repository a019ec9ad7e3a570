package dev.shelfmark.jdbc;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A partition that a test fills as brokers would. */
record AuditFixture(CatalogueStore store, PartitionKey key, String topic) {

    static AuditFixture of(CatalogueStore store, UUID topicId, int partition, String topic) {
        return new AuditFixture(store, new PartitionKey("cluster-a", topicId, partition), topic);
    }

    /** Changed so long ago. */
    static SegmentRecord segment(
            SegmentState state, long start, long end, Map<Integer, Long> epochs, Duration changedAgo) {
        long changed = System.currentTimeMillis() - changedAgo.toMillis();
        return SegmentRecord.builder(UUID.randomUUID(), start, end, LeaderEpochs.of(new TreeMap<>(epochs)))
                .state(state)
                .maxTimestampMs(changed - 1000)
                .sizeInBytes(64 * 1024 * 1024)
                .txnIndexEmpty(true)
                .brokerId(7)
                .eventTimestampMs(changed)
                .build();
    }

    /** Of one epoch, finished a month ago. */
    static SegmentRecord finished(int epoch, long start, long end) {
        return segment(COPY_SEGMENT_FINISHED, start, end, Map.of(epoch, start), Duration.ofDays(30));
    }

    /** Writes records, each with a version of its own, and a head that is true of them. */
    void put(SegmentRecord... segments) {
        for (SegmentRecord segment : segments) {
            PartitionHead head = store.read(key, new Selection.HeadOnly(), unused -> {});
            long version = head.version() + 1;
            TreeMap<Integer, Long> raised = new TreeMap<>();
            boolean done = segment.state() == COPY_SEGMENT_FINISHED;
            for (int i = 0; done && i < segment.leaderEpochs().size(); i++) {
                int epoch = segment.leaderEpochs().epoch(i);
                raised.put(
                        epoch,
                        Math.max(
                                head.highestOffsets().getOrDefault(epoch, -1L),
                                segment.leaderEpochs().endOffset(i, segment.endOffset())));
            }
            PartitionHead next = new PartitionHead(
                    version,
                    topic,
                    head.liveSegments() + (segment.state().live() ? 1 : 0),
                    Math.max(head.maxOffsetSpan(), segment.endOffset() - segment.startOffset()),
                    PartitionDeletion.NONE,
                    raised);
            SegmentRecord stamped = segment.toBuilder()
                    .version(version)
                    .finishedVersion(done ? version : 0)
                    .build();
            StateChange added = new StateChange.OfSegment(
                    version,
                    stamped.segmentId(),
                    null,
                    stamped.state(),
                    stamped.brokerId(),
                    stamped.eventTimestampMs());
            assertThat(store.commit(key, new PartitionCommit(head.version(), next, List.of(stamped), List.of(added))))
                    .isEqualTo(new CommitResult.Committed());
        }
    }
}
