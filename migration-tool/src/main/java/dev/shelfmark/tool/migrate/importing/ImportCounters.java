package dev.shelfmark.tool.migrate.importing;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.tool.kafka.SkipReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was counted while history was brought in. Kept with the checkpoints, in the same atomic writes as what it counts, so that
 * an import that was killed and resumed reports as one that was not.
 */
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class ImportCounters {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, TopicTally> topics = new TreeMap<>();
    private final Map<SkipReason, Long> unusable = new EnumMap<>(SkipReason.class);

    /** Of one topic. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    public static final class TopicTally {
        private String name = "";
        private long events;
        private long partitions;
        private long misplaced;
        private final Map<SkipReason, Long> dropped = new EnumMap<>(SkipReason.class);
        private final Map<SegmentState, Long> segments = new EnumMap<>(SegmentState.class);

        void event(String topic, boolean inItsPlace) {
            name = topic;
            events++;
            misplaced += inItsPlace ? 0 : 1;
        }

        void partition() {
            partitions++;
        }

        void dropped(SkipReason reason) {
            dropped.merge(reason, 1L, Long::sum);
        }

        void segments(SegmentState state, long change) {
            segments.merge(state, change, Long::sum);
        }

        private void add(TopicTally other) {
            name = other.name.isEmpty() ? name : other.name;
            events += other.events;
            partitions += other.partitions;
            misplaced += other.misplaced;
            other.dropped.forEach((reason, count) -> dropped.merge(reason, count, Long::sum));
            other.segments.forEach((state, count) -> segments.merge(state, count, Long::sum));
        }

        /** The topic's name in its last event. */
        public String name() {
            return name;
        }

        /** How many events were read. */
        public long events() {
            return events;
        }

        /** How many partitions have anything. */
        public long partitions() {
            return partitions;
        }

        /** How many events stood in another metadata partition than Kafka's partitioner chooses. */
        public long misplaced() {
            return misplaced;
        }

        /** How many events changed nothing, by reason. */
        public Map<SkipReason, Long> dropped() {
            return dropped;
        }

        /** How many segments are in a state now. */
        public long segments(SegmentState state) {
            return segments.getOrDefault(state, 0L);
        }

        /** How many segments are in the catalogue now. */
        public long liveSegments() {
            return segments.entrySet().stream()
                    .filter(entry -> entry.getKey().live())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /** Reads what {@link #toJson} wrote. */
    static ImportCounters fromJson(String json) {
        try {
            return json.isEmpty() ? new ImportCounters() : MAPPER.readValue(json, ImportCounters.class);
        } catch (JsonProcessingException e) {
            throw new StoreException.Corrupt(
                    "the counts that an earlier run of the import kept can't be read; was it a newer build?", e);
        }
    }

    String toJson() {
        try {
            return MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("counts are always written", e);
        }
    }

    TopicTally topic(String topicId) {
        return topics.computeIfAbsent(topicId, unused -> new TopicTally());
    }

    void unusable(SkipReason reason) {
        unusable.merge(reason, 1L, Long::sum);
    }

    void add(ImportCounters other) {
        other.topics.forEach((id, topic) -> topic(id).add(topic));
        other.unusable.forEach((reason, count) -> unusable.merge(reason, count, Long::sum));
    }

    /** By topic id in Kafka's textual form. */
    public Map<String, TopicTally> topics() {
        return topics;
    }

    /** Records that belong to no topic, by reason. */
    public Map<SkipReason, Long> unusable() {
        return unusable;
    }
}
