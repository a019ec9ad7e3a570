package dev.shelfmark.tool.kafka;

import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * The topic {@code __remote_log_metadata} as it stands.
 *
 * @param id its topic id: offsets mean nothing for another
 * @param partitions the offsets of each of its partitions, by number
 * @param retentionMs how long its records are kept, in milliseconds, or -1 for ever
 * @param retentionBytes how many bytes of a partition are kept, or -1 for all
 * @param cleanupPolicy delete, compact or both
 */
public record MetadataTopic(
        Uuid id, List<Offsets> partitions, long retentionMs, long retentionBytes, String cleanupPolicy) {

    /** Its name; Kafka allows no other. */
    public static final String NAME = "__remote_log_metadata";

    public MetadataTopic {
        partitions = List.copyOf(partitions);
    }

    /** Whether Kafka compacts it, and so rejects records without a key. */
    public boolean compacted() {
        return cleanupPolicy.contains("compact");
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
