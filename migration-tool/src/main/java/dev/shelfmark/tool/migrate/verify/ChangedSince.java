package dev.shelfmark.tool.migrate.verify;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.migrate.verify.Difference.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Whether a partition that has changed since the topic's last event began as the topic says. What has not been touched since must be
 * the same to the last field; what has been may only have moved forward.
 */
final class ChangedSince {

    private static final TopicIdPartition NOWHERE = new TopicIdPartition(Uuid.ZERO_UUID, 0, "");

    /** Where the two do not fit. */
    interface Sink {
        void differ(Kind kind, String question, Object topic, Object catalogue);
    }

    private final PartitionHead then;
    private final PartitionHead now;
    private final Sink sink;

    ChangedSince(PartitionHead then, PartitionHead now, Sink sink) {
        this.then = then;
        this.now = now;
        this.sink = sink;
    }

    void compare(List<SegmentRecord> segmentsThen, Map<UUID, SegmentRecord> segmentsNow) {
        // After a way back and in again the two have counted different changes: versions then tell nothing of what was
        // touched.
        boolean inStep = segmentsThen.stream().noneMatch(before -> {
            SegmentRecord after = segmentsNow.get(before.segmentId());
            return after != null && after.version() != before.version() && same(before, after);
        });
        for (SegmentRecord before : segmentsThen) {
            SegmentRecord after = segmentsNow.get(before.segmentId());
            // Gone means deleted since and purged since: that the partition's version moved on is all the proof there
            // is.
            if (after != null) {
                compare(before, after, !inStep || after.version() > then.version());
            }
        }
        Set<UUID> known = segmentsThen.stream().map(SegmentRecord::segmentId).collect(Collectors.toSet());
        for (SegmentRecord after : segmentsNow.values()) {
            if (inStep && after.version() <= then.version() && !known.contains(after.segmentId())) {
                sink.differ(Kind.SEGMENT, name(after), "none", after.state());
            }
        }
        then.highestOffsets().forEach((epoch, before) -> {
            @Nullable Long after = now.highestOffsets().get(epoch);
            if (after == null || after < before) {
                sink.differ(Kind.HIGHEST_OFFSET, "highest offset of epoch " + epoch, before, String.valueOf(after));
            }
        });
    }

    private void compare(SegmentRecord before, SegmentRecord after, boolean touched) {
        boolean forward = after.state().compareTo(before.state()) >= 0;
        boolean samePlace = after.startOffset() == before.startOffset()
                && after.endOffset() == before.endOffset()
                && after.leaderEpochs().equals(before.leaderEpochs());
        if (touched ? !forward || !samePlace : !same(before, after)) {
            sink.differ(Kind.FIELDS, name(before), before, after);
        }
    }

    /** Whether all but the versions is the same. */
    private static boolean same(SegmentRecord before, SegmentRecord after) {
        return KafkaMapping.segment(NOWHERE, before).equals(KafkaMapping.segment(NOWHERE, after));
    }

    private static String name(SegmentRecord segment) {
        return "segment " + TextualId.of(segment.segmentId());
    }
}
