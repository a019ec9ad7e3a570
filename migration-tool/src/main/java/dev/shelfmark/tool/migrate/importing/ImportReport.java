package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.console.Table;
import dev.shelfmark.tool.kafka.SkipReason;
import dev.shelfmark.tool.migrate.importing.ImportCounters.TopicTally;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an import did, for people and scripts.
 *
 * @param clusterId of which cluster
 * @param ending how it ended
 * @param dryRun whether nothing was written
 * @param tally the counts, of earlier runs too
 * @param existing the ids of the topics that the cluster has
 * @param seconds how long this run took
 */
public record ImportReport(
        String clusterId, ImportEnd ending, boolean dryRun, ImportCounters tally, Set<UUID> existing, double seconds) {

    /** A row for each topic. */
    public Table topics() {
        Table table = new Table(
                "topic",
                "topicId",
                "partitions",
                "events",
                "segments",
                "unfinished",
                "inDeletion",
                "deleted",
                "dropped",
                "exists");
        tally.topics()
                .forEach((id, topic) -> table.row(
                        topic.name(),
                        id,
                        topic.partitions(),
                        topic.events(),
                        topic.liveSegments(),
                        topic.segments(SegmentState.COPY_SEGMENT_STARTED),
                        topic.segments(SegmentState.DELETE_SEGMENT_STARTED),
                        topic.segments(SegmentState.DELETE_SEGMENT_FINISHED),
                        topic.dropped().values().stream()
                                .mapToLong(Long::longValue)
                                .sum(),
                        existing.contains(TextualId.parse(id))));
        return table;
    }

    /** A row for each reason for which events changed nothing. */
    public Table dropped() {
        Map<SkipReason, Long> sum = new TreeMap<>(tally.unusable());
        tally.topics()
                .values()
                .forEach(topic -> topic.dropped().forEach((reason, count) -> sum.merge(reason, count, Long::sum)));
        Table table = new Table("events", "reason", "harmless", "meaning");
        sum.forEach((reason, count) -> table.row(count, reason, reason.harmless(), "the event " + reason.meaning()));
        return table;
    }

    /** What to look at, a line each. */
    public Map<String, Long> attention() {
        Map<String, Long> lines = new LinkedHashMap<>();
        long unfinished = sum(SegmentState.COPY_SEGMENT_STARTED) + sum(SegmentState.DELETE_SEGMENT_STARTED);
        put(
                lines,
                "segments whose copy or deletion was never finished: kept, brokers finish or delete them",
                unfinished);
        long orphaned = tally.topics().entrySet().stream()
                .filter(entry -> !existing.contains(TextualId.parse(entry.getKey())))
                .mapToLong(entry -> entry.getValue().liveSegments())
                .sum();
        put(
                lines,
                "segments of topics that the cluster does not have, or hides from this login: no broker deletes them",
                orphaned);
        put(
                lines,
                "events that stood in another metadata partition than Kafka reads them from: imported, unknown to Kafka",
                tally.topics().values().stream()
                        .mapToLong(TopicTally::misplaced)
                        .sum());
        return lines;
    }

    private long sum(SegmentState state) {
        return tally.topics().values().stream()
                .mapToLong(topic -> topic.segments(state))
                .sum();
    }

    private static void put(Map<String, Long> lines, String line, long count) {
        if (count > 0) {
            lines.put(line, count);
        }
    }

    /** All of it, for JSON. */
    public Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("cluster", clusterId);
        object.put("ending", ending.name());
        object.put("dryRun", dryRun);
        object.put("seconds", seconds);
        object.put(
                "segments",
                tally.topics().values().stream()
                        .mapToLong(TopicTally::liveSegments)
                        .sum());
        object.put("topics", topics().objects());
        object.put("dropped", dropped().objects());
        object.put("attention", attention());
        return object;
    }
}
