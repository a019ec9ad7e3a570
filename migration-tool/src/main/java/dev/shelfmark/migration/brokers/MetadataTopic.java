package dev.shelfmark.migration.brokers;

import java.util.List;

/**
 * The topic {@code __remote_log_metadata} as it stands.
 *
 * @param partitions the offsets of each of its partitions
 */
public record MetadataTopic(List<Offsets> partitions) {

    /** Its name; Kafka allows no other. */
    public static final String NAME = "__remote_log_metadata";

    public MetadataTopic {
        partitions = List.copyOf(partitions);
    }

    /** How many records it holds at most: compaction and control records leave gaps. */
    public long records() {
        return partitions.stream()
                .mapToLong(offsets -> offsets.end() - offsets.start())
                .sum();
    }

    /** How many records were removed from the head of its partitions. */
    public long removed() {
        return partitions.stream().mapToLong(Offsets::start).sum();
    }

    /**
     * One partition.
     *
     * @param partition its number
     * @param start the first offset that is still there
     * @param end one past the last offset
     */
    public record Offsets(int partition, long start, long end) {}
}
