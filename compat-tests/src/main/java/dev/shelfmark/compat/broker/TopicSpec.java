package dev.shelfmark.compat.broker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tiered topic to create: segments of a few kilobytes, of which only the active one stays on the brokers once the others are
 * in the remote tier, and which nothing deletes.
 *
 * @param name the topic's name
 * @param replicas for each partition the brokers that hold it, the preferred leader first
 * @param config the topic's configuration
 */
public record TopicSpec(String name, List<List<Integer>> replicas, Map<String, String> config) {

    /** Producers' batches must fit into a segment. */
    public static final int SEGMENT_BYTES = 4096;

    public TopicSpec {
        replicas = replicas.stream().map(List::copyOf).toList();
        config = Map.copyOf(config);
    }

    /** A topic of one partition that is held by these brokers. */
    public static TopicSpec named(String name, Integer... replicas) {
        return new TopicSpec(
                name,
                List.of(List.of(replicas)),
                Map.of(
                        "remote.storage.enable", "true",
                        "internal.segment.bytes", Integer.toString(SEGMENT_BYTES),
                        "index.interval.bytes", "512",
                        "file.delete.delay.ms", "100",
                        "local.retention.bytes", "1",
                        "local.retention.ms", "-2",
                        "retention.ms", "-1",
                        "retention.bytes", "-1"));
    }

    /** The same with another value of the topic's configuration. */
    public TopicSpec with(String key, String value) {
        Map<String, String> changed = new HashMap<>(config);
        changed.put(key, value);
        return new TopicSpec(name, replicas, changed);
    }

    /** The same as brokers before 4.1 understand it, which have another name for small segments. */
    public TopicSpec before41() {
        Map<String, String> changed = new HashMap<>(config);
        String bytes = changed.remove("internal.segment.bytes");
        if (bytes != null) {
            changed.put("segment.bytes", bytes);
        }
        return new TopicSpec(name, replicas, changed);
    }

    /** The same with so many partitions, each on the brokers of the first. */
    public TopicSpec partitions(int count) {
        return new TopicSpec(name, java.util.Collections.nCopies(count, replicas.get(0)), config);
    }
}
