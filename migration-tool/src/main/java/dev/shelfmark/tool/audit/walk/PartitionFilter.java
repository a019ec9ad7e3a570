package dev.shelfmark.tool.audit.walk;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.PartitionSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions somebody asks about.
 *
 * @param cluster a cluster's id, or null for every one
 * @param topic a topic's name, in which {@code *} stands for any characters and {@code ?} for one, or its textual id; null for every one
 * @param partitions the partitions' numbers; empty for every one
 */
public record PartitionFilter(
        @Nullable String cluster, @Nullable String topic, Set<Integer> partitions) {

    /** Everything. */
    public static final PartitionFilter ALL = new PartitionFilter(null, null, Set.of());

    public PartitionFilter {
        partitions = Set.copyOf(partitions);
    }

    boolean passes(PartitionSummary summary) {
        return (topic == null
                        || TextualId.of(summary.key().topicId()).equals(topic)
                        || matches(topic, summary.topicName()))
                && (partitions.isEmpty() || partitions.contains(summary.key().partition()));
    }

    private static boolean matches(String pattern, String name) {
        StringBuilder regex = new StringBuilder();
        pattern.codePoints()
                .forEach(c -> regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c))));
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(name).matches();
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (topic != null) {
            parts.add("topic '" + topic + "'");
        }
        if (!partitions.isEmpty()) {
            parts.add("partition "
                    + String.join(
                            ", ",
                            partitions.stream().sorted().map(String::valueOf).toList()));
        }
        if (cluster != null) {
            parts.add("cluster " + cluster);
        }
        return parts.isEmpty() ? "everything" : String.join(", ", parts);
    }
}
