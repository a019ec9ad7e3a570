package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.console.Table;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts what a rebuild does, by partition. */
final class RebuildReport {

    private final Map<Partition, Counts> partitions = new LinkedHashMap<>();
    private final Map<SegmentAction, Long> totals = new EnumMap<>(SegmentAction.class);
    private long overlaps;

    private record Partition(String topic, UUID topicId, int number) {}

    private static final class Counts {
        private final Map<SegmentAction, Long> actions = new EnumMap<>(SegmentAction.class);
        private long bytes;
        private long first = Long.MAX_VALUE;
        private long last = -1;
    }

    void add(String topic, PlannedSegment planned) {
        Counts counts = partitions.computeIfAbsent(
                new Partition(
                        topic,
                        planned.found().name().topicId(),
                        planned.found().name().partition()),
                unused -> new Counts());
        counts.actions.merge(planned.action(), 1L, Long::sum);
        totals.merge(planned.action(), 1L, Long::sum);
        overlaps += planned.notes().isEmpty() ? 0 : 1;
        SegmentDescription description = planned.found().description();
        if (description != null && planned.action().changes()) {
            counts.bytes += description.sizeInBytes();
            counts.first = Math.min(counts.first, description.startOffset());
            counts.last = Math.max(counts.last, description.endOffset());
        }
    }

    /** How many segments something is done with. */
    long count(SegmentAction action) {
        return totals.getOrDefault(action, 0L);
    }

    /** How many segments there are in all. */
    long segments() {
        return totals.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Of how many segments that are brought in the place in the order of finishing is only as good as the times are. */
    long overlaps() {
        return overlaps;
    }

    /** Whether a person must look at something. */
    boolean trouble() {
        return totals.keySet().stream().anyMatch(SegmentAction::trouble);
    }

    /** A row for each partition, with a column for each action that something is done with. */
    Table table() {
        List<String> columns = new ArrayList<>(List.of("topic", "topicId", "partition"));
        for (SegmentAction action : SegmentAction.values()) {
            columns.add(action.column());
        }
        columns.addAll(List.of("fromOffset", "toOffset", "bytes"));
        Table table = new Table(columns.toArray(String[]::new));
        partitions.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(Partition::topic)
                        .thenComparing(Partition::topicId)
                        .thenComparingInt(Partition::number)))
                .forEach(entry -> table.row(row(entry.getKey(), entry.getValue())));
        return table;
    }

    private static @Nullable Object[] row(Partition partition, Counts counts) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(partition.topic());
        row.add(TextualId.of(partition.topicId()));
        row.add(partition.number());
        for (SegmentAction action : SegmentAction.values()) {
            row.add(counts.actions.getOrDefault(action, 0L));
        }
        boolean none = counts.last < 0;
        row.add(none ? null : counts.first);
        row.add(none ? null : counts.last);
        row.add(counts.bytes);
        return row.toArray(new @Nullable Object[0]);
    }
}
