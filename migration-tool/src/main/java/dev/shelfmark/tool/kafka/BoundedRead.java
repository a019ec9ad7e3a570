package dev.shelfmark.tool.kafka;

import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads one metadata partition up to an end that was captured before. By position: gaps hold no records, and end where they end. */
public final class BoundedRead {

    private static final Duration POLL = Duration.ofMillis(500);

    private final MetadataReader reader;
    private final Duration stall;

    /**
     * On a reader that it moves.
     *
     * @param stall how long the brokers may send nothing although there is more
     */
    public BoundedRead(MetadataReader reader, Duration stall) {
        this.reader = reader;
        this.stall = stall;
    }

    /** Takes what was read. */
    @FunctionalInterface
    public interface Step {
        /**
         * Takes the next records.
         *
         * @param records those that came, none of them at or after the end
         * @param position what comes next, at most the end
         * @return whether to go on
         */
        boolean read(List<MetadataRecord> records, long position);
    }

    /** Reads until the end is reached or the step ends it. */
    public void read(int partition, long from, long end, Step step) {
        reader.seek(Map.of(partition, from));
        long position = from;
        long waited = 0;
        while (position < end) {
            // What the step takes for itself is not the brokers' time.
            long began = System.nanoTime();
            List<MetadataRecord> records = reader.poll(POLL).stream()
                    .filter(record -> record.offset() < end)
                    .toList();
            long now = Math.min(end, reader.positions().getOrDefault(partition, position));
            if (now > position) {
                waited = 0;
                position = now;
            } else {
                waited += System.nanoTime() - began;
            }
            if (waited > stall.toNanos()) {
                throw ToolFailure.kafka(
                        "the brokers sent nothing for " + stall.toSeconds() + " s, although partition " + partition
                                + " of "
                                + MetadataTopic.NAME + " goes on at offset " + position
                                + "; look at that partition's leader, then run the same command again",
                        null);
            }
            if (!step.read(records, position)) {
                return;
            }
        }
    }
}
