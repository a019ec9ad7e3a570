package dev.shelfmark.catalogue.rules;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;

import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which changes are legal, and what they make of a segment. Pure: no clock, no store.
 *
 * <p>The table of transitions is Kafka's {@code RemoteLogSegmentState.isValidTransition}. Where a change is not legal, Kafka's own
 * manager drops it and reports success. What we report depends on what RemoteLogManager does next:
 * <table>
 * <caption>Reports that change nothing</caption>
 * <tr><th>report</th><th>of a segment that is</th><th>outcome</th><th>because</th></tr>
 * <tr><td>add</td><td>COPY_SEGMENT_FINISHED or later</td><td>refused</td><td>nothing is uploaded yet; the next try has another id</td></tr>
 * <tr><td>COPY_SEGMENT_FINISHED</td><td>unknown or in deletion</td><td>refused</td><td>on success the broker counts the offsets as tiered
 *     and deletes its local copy</td></tr>
 * <tr><td>DELETE_*</td><td>unknown or deleted</td><td>ignored</td><td>a multi-epoch segment is deleted once per epoch; a failure would
 *     end the partition's whole pass</td></tr>
 * <tr><td>DELETE_SEGMENT_FINISHED</td><td>not in deletion</td><td>refused</td><td>the row must stay listed until its deletion is
 *     repeated in order</td></tr>
 * </table>
 */
public final class SegmentLifecycle {

    private SegmentLifecycle() {}

    /** What an event makes of a segment: the record to put, if anything changes, and the outcome to report. */
    public record Decision(Optional<SegmentRecord> next, WriteOutcome outcome) {

        private static Decision put(SegmentRecord next) {
            return new Decision(Optional.of(next), new WriteOutcome.Done(true));
        }

        private static Decision unchanged() {
            return new Decision(Optional.empty(), new WriteOutcome.Done(false));
        }

        private static Decision ignored(UUID segmentId, @Nullable SegmentState from, SegmentState to) {
            return new Decision(Optional.empty(), new WriteOutcome.Ignored(transition(segmentId, from, to)));
        }

        private static Decision refused(UUID segmentId, @Nullable SegmentState from, SegmentState to) {
            return new Decision(
                    Optional.empty(), new WriteOutcome.Refused(from == null, transition(segmentId, from, to)));
        }

        private static String transition(UUID segmentId, @Nullable SegmentState from, SegmentState to) {
            return "segment " + TextualId.of(segmentId) + " can't go from " + (from == null ? "(unknown)" : from)
                    + " to " + to;
        }
    }

    /** Whether a segment may go from one state to another; null stands for one that is not there. */
    public static boolean legal(@Nullable SegmentState from, SegmentState to) {
        if (from == null) {
            return to == COPY_SEGMENT_STARTED;
        }
        return switch (from) {
            case COPY_SEGMENT_STARTED -> to != DELETE_SEGMENT_FINISHED;
            case COPY_SEGMENT_FINISHED -> to == COPY_SEGMENT_FINISHED || to == DELETE_SEGMENT_STARTED;
            case DELETE_SEGMENT_STARTED -> to == DELETE_SEGMENT_STARTED || to == DELETE_SEGMENT_FINISHED;
            case DELETE_SEGMENT_FINISHED -> to == DELETE_SEGMENT_FINISHED;
        };
    }

    /** Whether the deletion of a partition may go from one state to another. */
    public static boolean legal(PartitionDeletion from, PartitionDeletion to) {
        return to == from
                || switch (from) {
                    case NONE -> to == PartitionDeletion.DELETE_PARTITION_MARKED;
                    case DELETE_PARTITION_MARKED -> to == PartitionDeletion.DELETE_PARTITION_STARTED;
                    case DELETE_PARTITION_STARTED -> to == PartitionDeletion.DELETE_PARTITION_FINISHED;
                    case DELETE_PARTITION_FINISHED -> false;
                };
    }

    /** Decides on an added segment; a change gets the given version. A repeat before the upload ended replaces every field. */
    public static Decision decide(@Nullable SegmentRecord current, AddSegment event, long version) {
        SegmentRecord added = event.segment();
        if (!legal(current == null ? null : current.state(), COPY_SEGMENT_STARTED)) {
            return Decision.refused(added.segmentId(), current == null ? null : current.state(), COPY_SEGMENT_STARTED);
        }
        return putIfDifferent(
                current, added.toBuilder().version(version).finishedVersion(0).build());
    }

    /** Decides on an update; a change gets the given version. A repeat keeps the segment's place among the finished. */
    public static Decision decide(@Nullable SegmentRecord current, UpdateSegment event, long version) {
        SegmentState target = event.state();
        if (current == null || !legal(current.state(), target)) {
            SegmentState from = current == null ? null : current.state();
            boolean late = target != COPY_SEGMENT_FINISHED && (from == null || from == DELETE_SEGMENT_FINISHED);
            return late
                    ? Decision.ignored(event.segmentId(), from, target)
                    : Decision.refused(event.segmentId(), from, target);
        }
        if (current.state() == DELETE_SEGMENT_FINISHED) {
            // A late repeat must not touch a row that may be on its way to be purged.
            return Decision.unchanged();
        }
        boolean finishedNow = target == COPY_SEGMENT_FINISHED && current.finishedVersion() == 0;
        return putIfDifferent(
                current,
                current.toBuilder()
                        .state(target)
                        .customMetadata(event.customMetadata())
                        .brokerId(event.brokerId())
                        .eventTimestampMs(event.eventTimestampMs())
                        .version(version)
                        .finishedVersion(finishedNow ? version : current.finishedVersion())
                        .build());
    }

    private static Decision putIfDifferent(@Nullable SegmentRecord current, SegmentRecord next) {
        return current != null && sameButVersion(current, next) ? Decision.unchanged() : Decision.put(next);
    }

    private static boolean sameButVersion(SegmentRecord current, SegmentRecord next) {
        return next.equals(current.toBuilder().version(next.version()).build());
    }
}
