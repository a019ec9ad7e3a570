package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Brings planned segments into the catalogue by the rules by which brokers do: an upload begins, and is finished. */
final class CatalogueWriter {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int EVENTS_PER_SEGMENT = 2;

    private final SegmentCatalogue catalogue;
    private final int segmentsAtOnce;
    private final Runnable beforeEach;

    /** @param beforeEach called before each change; may refuse it */
    CatalogueWriter(CatalogueStore store, Runnable beforeEach) {
        this.catalogue =
                new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run);
        // Both events of a segment are in one commit: a run that is cut short leaves no upload that only began.
        this.segmentsAtOnce = Math.max(1, store.maxSegmentsPerCommit() / EVENTS_PER_SEGMENT);
        this.beforeEach = beforeEach;
    }

    /**
     * Brings segments of one partition in, in order.
     *
     * @return what became of each, in the same order
     */
    List<PlannedSegment> write(PartitionKey key, String topic, List<PlannedSegment> changes) {
        List<PlannedSegment> done = new ArrayList<>(changes.size());
        for (int from = 0; from < changes.size(); from += segmentsAtOnce) {
            List<PlannedSegment> batch = changes.subList(from, Math.min(changes.size(), from + segmentsAtOnce));
            List<MetadataEvent> events = new ArrayList<>();
            batch.forEach(change -> addEvents(change, events));
            beforeEach.run();
            List<WriteOutcome> outcomes = catalogue.write(key, topic, events, Deadline.in(LIMIT));
            int at = 0;
            for (PlannedSegment change : batch) {
                at += change.action() == SegmentAction.ADD ? EVENTS_PER_SEGMENT : 1;
                done.add(judged(change, outcomes.get(at - 1)));
            }
        }
        return done;
    }

    private static void addEvents(PlannedSegment change, List<MetadataEvent> events) {
        UUID segmentId = change.found().name().segmentId();
        SegmentDescription description = PartitionPlan.description(change);
        if (change.action() == SegmentAction.ADD) {
            events.add(new MetadataEvent.AddSegment(description.started(segmentId)));
        }
        events.add(new MetadataEvent.UpdateSegment(
                segmentId,
                SegmentState.COPY_SEGMENT_FINISHED,
                description.customMetadata(),
                description.brokerId(),
                description.eventMs()));
    }

    private static PlannedSegment judged(PlannedSegment change, WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Done
                ? change
                : change.turned(SegmentAction.CHANGED, "the catalogue did not take it: " + outcome);
    }
}
