package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides what is done with each segment of one partition that was found. Pure: neither store nor storage is asked. */
final class PartitionPlan {

    /** As their uploads ended, as nearly as that is known. */
    static final Comparator<PlannedSegment> ORDER = Comparator.<PlannedSegment>comparingLong(
                    planned -> description(planned).eventMs())
            .thenComparingLong(planned -> description(planned).startOffset())
            .thenComparingLong(planned -> description(planned).endOffset())
            .thenComparing(planned -> planned.found().name().segmentId());

    private final ClusterTopics topics;
    private final RebuildSettings settings;

    PartitionPlan(ClusterTopics topics, RebuildSettings settings) {
        this.topics = topics;
        this.settings = settings;
    }

    /**
     * The plan, with what is to be brought in last and in the order in which that has to be done.
     *
     * @param found every segment of the partition that was found
     * @param rows every row of the partition, by segment, those of deleted segments included
     * @param logStart the partition's log start offset, or -1
     * @param highestOffsets by leader epoch, the highest offset that the catalogue ever had as finished
     */
    List<PlannedSegment> of(
            List<FoundSegment> found,
            Map<UUID, SegmentRecord> rows,
            long logStart,
            NavigableMap<Integer, Long> highestOffsets) {
        List<PlannedSegment> rest = new ArrayList<>();
        List<PlannedSegment> changes = new ArrayList<>();
        List<PlannedSegment> begun = new ArrayList<>();
        for (FoundSegment segment : found) {
            PlannedSegment planned = plan(segment, rows.get(segment.name().segmentId()), logStart);
            (planned.action() == SegmentAction.ADD ? changes : planned.action() == SegmentAction.FINISH ? begun : rest)
                    .add(planned);
        }
        finishUncovered(begun, rows, highestOffsets, changes, rest);
        changes.sort(ORDER);
        rest.addAll(new OverlapNotes(rows.values(), changes).noted());
        return rest;
    }

    private PlannedSegment plan(FoundSegment found, @Nullable SegmentRecord row, long logStart) {
        SegmentAction trouble = found.trouble();
        if (topics.ofOthers().contains(found.name().topicId()) && row == null) {
            return new PlannedSegment(found, SegmentAction.OTHER_CLUSTER, SegmentAction.OTHER_CLUSTER.meaning());
        }
        if (trouble != null) {
            return new PlannedSegment(found, trouble, found.reason());
        }
        SegmentDescription description = Objects.requireNonNull(found.description());
        if (row != null) {
            return known(found, description, row);
        }
        if (!topics.known(found.name().topicId()) && !settings.includeUnknownTopics()) {
            return new PlannedSegment(
                    found,
                    SegmentAction.UNKNOWN_TOPIC,
                    topics.askedBrokers()
                            ? "the cluster has no such topic: it was deleted, or is another cluster's"
                            : "the catalogue has no such topic of this cluster, and no broker was asked");
        }
        if (logStart > description.endOffset() && !settings.includeBelowLogStart()) {
            return new PlannedSegment(
                    found,
                    SegmentAction.BELOW_LOG_START,
                    "it ends at offset " + description.endOffset() + ", the log starts at " + logStart);
        }
        return new PlannedSegment(found, SegmentAction.ADD, SegmentAction.ADD.meaning());
    }

    private static PlannedSegment known(FoundSegment found, SegmentDescription description, SegmentRecord row) {
        String differences = RowComparison.differences(row, description);
        if (!differences.isEmpty()) {
            return new PlannedSegment(found, SegmentAction.CONTRADICTS, differences);
        }
        if (row.state() == SegmentState.COPY_SEGMENT_STARTED) {
            return new PlannedSegment(found, SegmentAction.FINISH, SegmentAction.FINISH.meaning());
        }
        return new PlannedSegment(found, SegmentAction.KEEP, "the catalogue has it as " + row.state());
    }

    /** An upload that another segment replaced was given up by its broker: nobody reads from it. */
    private static void finishUncovered(
            List<PlannedSegment> begun,
            Map<UUID, SegmentRecord> rows,
            NavigableMap<Integer, Long> highestOffsets,
            List<PlannedSegment> changes,
            List<PlannedSegment> rest) {
        OffsetCover cover = new OffsetCover();
        rows.values().stream()
                .filter(row -> row.state() != SegmentState.COPY_SEGMENT_STARTED)
                .forEach(row -> cover.add(row.startOffset(), row.endOffset()));
        changes.forEach(added ->
                cover.add(description(added).startOffset(), description(added).endOffset()));
        begun.sort(ORDER.reversed());
        for (PlannedSegment segment : begun) {
            SegmentDescription description = description(segment);
            if (cover.touches(description.startOffset(), description.endOffset())
                    || everFinished(description, highestOffsets)) {
                rest.add(segment.turned(
                        SegmentAction.KEEP,
                        "the catalogue has it as COPY_SEGMENT_STARTED, and another segment has or had its offsets"));
            } else {
                changes.add(segment);
                cover.add(description.startOffset(), description.endOffset());
            }
        }
    }

    /** Whether its last offset once was in a finished segment, of which there may be no row any more. */
    private static boolean everFinished(SegmentDescription segment, NavigableMap<Integer, Long> highestOffsets) {
        int last = segment.leaderEpochs().epoch(segment.leaderEpochs().size() - 1);
        return highestOffsets.getOrDefault(last, -1L) >= segment.endOffset();
    }

    static SegmentDescription description(PlannedSegment planned) {
        return Objects.requireNonNull(planned.found().description());
    }
}
