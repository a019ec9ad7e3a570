package dev.shelfmark.catalogue.rules;

import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.DeletePartition;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.catalogue.rules.SegmentLifecycle.Decision;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence of events makes of a partition at one version. Fold events with {@link #apply}, then take the {@link #commit()}.
 * Each change has a version of its own, so that the order in which segments were finished survives a batch. Used by one thread.
 */
public final class PartitionUpdate {

    private final PartitionHead base;
    private final Function<UUID, @Nullable SegmentRecord> stored;
    private final Map<UUID, SegmentRecord> changed = new LinkedHashMap<>();
    private final NavigableMap<Integer, Long> raised = new TreeMap<>();
    private final List<WriteOutcome> outcomes = new ArrayList<>();
    private final List<StateChange> changes = new ArrayList<>();
    private String topicName;
    private long version;
    private long liveSegments;
    private long maxOffsetSpan;
    private PartitionDeletion deletion;

    /**
     * Starts from a partition as it is.
     *
     * @param head the head, with all highest offsets
     * @param stored the record of a segment at the head's version, or null. Of a segment that it knows nothing of there may be the
     *     record of a deleted one: the commit then does not apply
     */
    public PartitionUpdate(PartitionHead head, Function<UUID, @Nullable SegmentRecord> stored) {
        this.base = head;
        this.stored = stored;
        this.topicName = head.topicName();
        this.version = head.version();
        this.liveSegments = head.liveSegments();
        this.maxOffsetSpan = head.maxOffsetSpan();
        this.deletion = head.deletion();
    }

    /** Decides on one event, after all that came before it. */
    public WriteOutcome apply(String topic, MetadataEvent event) {
        long before = version;
        WriteOutcome outcome;
        if (event instanceof AddSegment add) {
            outcome = add(add);
        } else if (event instanceof UpdateSegment update) {
            outcome = put(SegmentLifecycle.decide(current(update.segmentId()), update, version + 1));
        } else {
            outcome = delete((DeletePartition) event);
        }
        if (version > before) {
            topicName = topic;
        }
        outcomes.add(outcome);
        return outcome;
    }

    private WriteOutcome add(AddSegment add) {
        if (deletion == PartitionDeletion.DELETE_PARTITION_FINISHED) {
            return new WriteOutcome.Refused(false, "the partition is deleted: it takes no more segments");
        }
        return put(SegmentLifecycle.decide(current(add.segment().segmentId()), add, version + 1));
    }

    private WriteOutcome delete(DeletePartition event) {
        PartitionDeletion target = event.state();
        if (!SegmentLifecycle.legal(deletion, target)) {
            return new WriteOutcome.Refused(
                    false, "the partition's deletion can't go from " + deletion + " to " + target);
        }
        boolean change = deletion != target;
        if (change) {
            version++;
            changes.add(
                    new StateChange.OfPartition(version, deletion, target, event.brokerId(), event.eventTimestampMs()));
            deletion = target;
        }
        return new WriteOutcome.Done(change);
    }

    private WriteOutcome put(Decision decision) {
        decision.next().ifPresent(this::put);
        return decision.outcome();
    }

    private void put(SegmentRecord next) {
        SegmentRecord before = current(next.segmentId());
        liveSegments += (next.state().live() ? 1 : 0)
                - (before != null && before.state().live() ? 1 : 0);
        maxOffsetSpan = Math.max(maxOffsetSpan, next.endOffset() - next.startOffset());
        version++;
        changed.put(next.segmentId(), next);
        changes.add(new StateChange.OfSegment(
                version,
                next.segmentId(),
                before == null ? null : before.state(),
                next.state(),
                next.brokerId(),
                next.eventTimestampMs()));
        if (next.state() == SegmentState.COPY_SEGMENT_FINISHED) {
            raiseHighestOffsets(next);
        }
    }

    private void raiseHighestOffsets(SegmentRecord finished) {
        LeaderEpochs epochs = finished.leaderEpochs();
        for (int i = 0; i < epochs.size(); i++) {
            int epoch = epochs.epoch(i);
            long end = epochs.endOffset(i, finished.endOffset());
            Long highest = raised.getOrDefault(epoch, base.highestOffsets().get(epoch));
            if (highest == null || end > highest) {
                raised.put(epoch, end);
            }
        }
    }

    private @Nullable SegmentRecord current(UUID segmentId) {
        SegmentRecord overlay = changed.get(segmentId);
        return overlay != null ? overlay : stored.apply(segmentId);
    }

    /** The outcome of each event so far, in order. */
    public List<WriteOutcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** The head as it would be: with all highest offsets, not only the raised ones. */
    public PartitionHead head() {
        NavigableMap<Integer, Long> all = new TreeMap<>(base.highestOffsets());
        all.putAll(raised);
        return head(all);
    }

    /**
     * Whether an update that was begun on what a later look found shows that this one was applied, all of it: a record stands there just
     * as this one's commit would put it. The deletion of a partition has no record; that it has come so far is as good, whoever did it.
     */
    public boolean isFoundBy(PartitionUpdate later) {
        if (later.base.version() < version) {
            return false;
        }
        return changed.isEmpty()
                ? later.base.deletion() == deletion
                : changed.values().stream()
                        .anyMatch(segment -> segment.equals(later.stored.apply(segment.segmentId())));
    }

    /** Whether there is anything to send to the store. */
    public boolean changesSomething() {
        return version > base.version();
    }

    /** The change to send to the store, or empty when nothing changes. */
    public Optional<PartitionCommit> commit() {
        return changesSomething()
                ? Optional.of(new PartitionCommit(base.version(), head(raised), List.copyOf(changed.values()), changes))
                : Optional.empty();
    }

    private PartitionHead head(NavigableMap<Integer, Long> highestOffsets) {
        return new PartitionHead(version, topicName, liveSegments, maxOffsetSpan, deletion, highestOffsets);
    }
}
