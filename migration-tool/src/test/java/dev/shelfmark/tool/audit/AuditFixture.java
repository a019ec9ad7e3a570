package dev.shelfmark.tool.audit;

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
import dev.shelfmark.tool.Shell;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A partition that a test fills as brokers would, or with what no broker would write.
 *
 * @param store where
 * @param key which partition
 * @param topic its topic's name
 */
record AuditFixture(CatalogueStore store, PartitionKey key, String topic) {

    private static final AtomicLong IDS = new AtomicLong(1);

    static AuditFixture of(CatalogueStore store, String topic, int partition) {
        return new AuditFixture(
                store,
                new PartitionKey(
                        Shell.CLUSTER,
                        UUID.nameUUIDFromBytes(topic.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                        partition),
                topic);
    }

    /** A segment of one epoch, finished a month ago by the shell's clock. */
    static SegmentRecord finished(int epoch, long start, long end) {
        return segment(SegmentState.COPY_SEGMENT_FINISHED, start, end, Map.of(epoch, start), Duration.ofDays(30));
    }

    static SegmentRecord segment(
            SegmentState state, long start, long end, Map<Integer, Long> epochs, Duration changedAgo) {
        Instant changed = Shell.NOW.minus(changedAgo);
        return SegmentRecord.builder(
                        new UUID(0, IDS.getAndIncrement()), start, end, LeaderEpochs.of(new TreeMap<>(epochs)))
                .state(state)
                .maxTimestampMs(changed.minusSeconds(60).toEpochMilli())
                .sizeInBytes(64 * 1024 * 1024)
                .txnIndexEmpty(true)
                .brokerId(7)
                .eventTimestampMs(changed.toEpochMilli())
                .build();
    }

    /** Writes records, each with a version of its own, and a head that is true of them. */
    AuditFixture put(SegmentRecord... segments) {
        for (SegmentRecord segment : segments) {
            put(segment);
        }
        return this;
    }

    private void put(SegmentRecord segment) {
        PartitionHead head = head();
        long version = head.version() + 1;
        boolean finished = segment.state() == SegmentState.COPY_SEGMENT_FINISHED;
        NavigableMap<Integer, Long> raised = new TreeMap<>();
        for (int i = 0; finished && i < segment.leaderEpochs().size(); i++) {
            int epoch = segment.leaderEpochs().epoch(i);
            long end = segment.leaderEpochs().endOffset(i, segment.endOffset());
            raised.put(epoch, Math.max(end, head.highestOffsets().getOrDefault(epoch, -1L)));
        }
        boolean known = isLive(segment.segmentId());
        long live = head.liveSegments() + (segment.state().live() ? 1 : 0) - (known ? 1 : 0);
        long span = Math.max(head.maxOffsetSpan(), segment.endOffset() - segment.startOffset());
        commit(
                new PartitionHead(version, topic, live, span, PartitionDeletion.NONE, raised),
                copy(segment, segment.state(), version));
    }

    /** The same segment in another state; one that comes to be finished is so from this version on. */
    static SegmentRecord copy(SegmentRecord segment, SegmentState state, long version) {
        return segment.toBuilder()
                .state(state)
                .version(version)
                .finishedVersion(state == SegmentState.COPY_SEGMENT_FINISHED ? version : segment.finishedVersion())
                .build();
    }

    private boolean isLive(UUID id) {
        boolean[] live = new boolean[1];
        store.read(
                key,
                new Selection.ById(java.util.Set.of(id)),
                segment -> live[0] = segment.state().live());
        return live[0];
    }

    PartitionHead head() {
        return store.read(key, new Selection.HeadOnly(), unused -> {});
    }

    /** Writes exactly this, whatever it breaks. */
    void commit(PartitionHead head, SegmentRecord... segments) {
        CommitResult result =
                store.commit(key, new PartitionCommit(head().version(), head, List.of(segments), List.of()));
        if (!(result instanceof CommitResult.Committed)) {
            throw new AssertionError(result);
        }
    }
}
