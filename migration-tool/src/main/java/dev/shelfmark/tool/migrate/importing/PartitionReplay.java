package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.SkipReason;
import dev.shelfmark.tool.kafka.TopicEvent;
import dev.shelfmark.tool.migrate.importing.ImportCounters.TopicTally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a run of events makes of one partition. The catalogue's rules decide; this reads what they decide on, holds no more than the
 * segments that the events name.
 */
final class PartitionReplay {

    private final CatalogueStore store;
    private final SkippedEvents skipped;
    private final PartitionKey key;
    private final boolean inItsPlace;
    private final ImportCounters tally;
    private final TopicTally counts;

    /**
     * @param tally what is counted of the partition since the last checkpoint; goes on being counted
     * @param inItsPlace whether Kafka's partitioner would have put the events where they were found
     */
    PartitionReplay(
            CatalogueStore store, SkippedEvents skipped, PartitionKey key, boolean inItsPlace, ImportCounters tally) {
        this.store = store;
        this.skipped = skipped;
        this.key = key;
        this.inItsPlace = inItsPlace;
        this.tally = tally;
        this.counts = tally.topic(TextualId.of(key.topicId()));
    }

    ImportCounters tally() {
        return tally;
    }

    /** Folds the events in order; empty when they change nothing. */
    Optional<PartitionLoad> fold(int source, List<TopicEvent.Change> events) {
        Map<UUID, SegmentRecord> stored = new HashMap<>();
        PartitionHead base = read(segmentIds(events), stored);
        ReplayState state = new ReplayState(base, stored, counts);
        for (TopicEvent.Change change : events) {
            counts.event(change.partition().topic(), inItsPlace);
            WriteOutcome outcome = state.apply(change);
            dropped(change, outcome).ifPresent(reason -> {
                counts.dropped(reason);
                if (reason != SkipReason.REPEATED) {
                    skipped.add(change.record(), change.partition(), reason, detail(outcome));
                }
            });
        }
        if (!state.changed()) {
            return Optional.empty();
        }
        if (base.version() == 0) {
            counts.partition();
        }
        long next = events.get(events.size() - 1).record().offset() + 1;
        return Optional.of(state.load(key, source, new Progress(next, tally.toJson())));
    }

    private static Set<UUID> segmentIds(List<TopicEvent.Change> events) {
        Set<UUID> ids = new HashSet<>();
        events.forEach(change -> segmentId(change).ifPresent(ids::add));
        return ids;
    }

    /** The segment that an event is about, if it is about one. */
    static Optional<UUID> segmentId(TopicEvent.Change change) {
        if (change.event() instanceof AddSegment add) {
            return Optional.of(add.segment().segmentId());
        }
        return change.event() instanceof UpdateSegment update ? Optional.of(update.segmentId()) : Optional.empty();
    }

    private PartitionHead read(Set<UUID> ids, Map<UUID, SegmentRecord> stored) {
        List<UUID> all = new ArrayList<>(ids);
        int most = store.maxSegmentsPerCommit();
        PartitionHead head = read(all.subList(0, Math.min(most, all.size())), stored);
        for (int from = most; head.version() > 0 && from < all.size(); from += most) {
            PartitionHead again = read(all.subList(from, Math.min(all.size(), from + most)), stored);
            if (again.version() != head.version()) {
                throw ToolFailure.refused("partition " + key + " is being changed by somebody else while its history is"
                        + " brought in; find out who writes to this catalogue, then run the same command again");
            }
        }
        return head;
    }

    private PartitionHead read(List<UUID> ids, Map<UUID, SegmentRecord> stored) {
        Selection selection = ids.isEmpty() ? new Selection.HeadOnly() : new Selection.ById(Set.copyOf(ids));
        return store.read(key, selection, segment -> stored.put(segment.segmentId(), segment));
    }

    private static Optional<SkipReason> dropped(TopicEvent.Change change, WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Done done) {
            return done.changed() ? Optional.empty() : Optional.of(SkipReason.REPEATED);
        } else if (outcome instanceof WriteOutcome.Ignored) {
            return Optional.of(SkipReason.DELETION_OF_UNKNOWN);
        }
        boolean missing = ((WriteOutcome.Refused) outcome).missing();
        boolean finished =
                change.event() instanceof UpdateSegment update && update.state() == SegmentState.COPY_SEGMENT_FINISHED;
        return Optional.of(missing && finished ? SkipReason.FINISHED_WITHOUT_START : SkipReason.ILLEGAL_TRANSITION);
    }

    private static String detail(WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Refused refused) {
            return refused.reason();
        }
        return outcome instanceof WriteOutcome.Ignored ignored ? ignored.reason() : "";
    }
}
