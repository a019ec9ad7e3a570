package dev.shelfmark.tool.audit.lookup;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.lookup.OffsetLookup.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the segment of a time as a broker's RemoteLogManager does: epoch by epoch upwards, in each by start offset, the first finished one
 * whose highest timestamp is not before the time and which ends at or after the offset.
 */
final class TimestampLookup {

    private static final Comparator<Found> ORDER = Comparator.comparingInt(Found::epoch)
            .thenComparing(found -> found.segment().startOffset())
            .thenComparing(found -> found.segment().finishedVersion(), Comparator.reverseOrder());

    private final long timestampMs;
    private final long offset;
    private @Nullable Found best;
    private @Nullable SegmentRecord unreadable;
    private long considered;

    TimestampLookup(long timestampMs, long offset) {
        this.timestampMs = timestampMs;
        this.offset = offset;
    }

    private record Found(int epoch, SegmentRecord segment) {}

    void consider(SegmentRecord segment) {
        considered++;
        if (segment.maxTimestampMs() < timestampMs || segment.endOffset() < offset) {
            return;
        }
        if (segment.state() != SegmentState.COPY_SEGMENT_FINISHED) {
            if (unreadable == null) {
                unreadable = segment;
            }
            return;
        }
        LeaderEpochs epochs = segment.leaderEpochs();
        for (int i = 0; i < epochs.size(); i++) {
            if (epochs.endOffset(i, segment.endOffset()) >= Math.max(offset, epochs.startOffset(i))) {
                Found found = new Found(epochs.epoch(i), segment);
                if (best == null || ORDER.compare(found, best) < 0) {
                    best = found;
                }
                return;
            }
        }
    }

    OffsetLookup lookup(PartitionSummary partition) {
        List<Candidate> candidates = new ArrayList<>();
        String when = Instant.ofEpochMilli(timestampMs) + (offset == 0 ? "" : " from offset " + offset);
        if (best != null) {
            candidates.add(new Candidate(
                    best.segment(),
                    true,
                    "the first of epoch " + best.epoch() + " with a record of " + when + " or later"));
        }
        if (unreadable != null) {
            candidates.add(new Candidate(
                    unreadable,
                    false,
                    "has records of that time, too, but is not readable: it is " + unreadable.state()));
        }
        String where = partition.topicName() + "-" + partition.key().partition();
        return new OffsetLookup(
                candidates,
                best == null
                        ? "no finished segment of " + where + " has a record of " + when + " or later; " + considered
                                + " were looked at. Newer records are in the brokers' local logs only"
                        : "the first record of " + when + " or later that the remote storage has of " + where
                                + " is in the segment that is the answer");
    }
}
