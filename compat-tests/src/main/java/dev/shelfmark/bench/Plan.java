package dev.shelfmark.bench;

import java.util.Map;

/**
 * How much is measured.
 *
 * @param segments live segments
 * @param partitions over which they are spread
 * @param rounds how often each side is measured
 * @param thorough whether to measure for so long that the numbers mean something
 */
record Plan(int segments, int partitions, int rounds, boolean thorough) {

    private static final int LEAST = 1_000;
    private static final int LARGEST_PARTITION = 1_000_000;
    private static final int BYTES_PER_SEGMENT = 1_600;
    private static final int LEAST_HEAP_MIB = 1_024;

    Plan {
        if (segments < LEAST || partitions < 10 || partitions > segments / 10 || rounds < 1) {
            throw new IllegalArgumentException("at least " + LEAST
                    + " segments, 10 partitions with 10 segments each and 1 round; got " + segments + ", " + partitions
                    + " and " + rounds);
        }
    }

    static Plan quick() {
        return new Plan(5_000, 50, 1, false);
    }

    Layout layout() {
        return new Layout("measured", partitions, 0, segments / partitions);
    }

    /** A tenth of the segments, over as many partitions. */
    Layout tenth() {
        return new Layout("tenth", partitions, 0, segments / partitions / 10);
    }

    /** A tenth of the segments is there, the others are deleted. */
    Layout history() {
        int live = segments / partitions / 10;
        return new Layout("history", partitions, segments / partitions - live, live);
    }

    /** All in one partition. */
    Layout large() {
        return new Layout("large", 1, 0, Math.min(segments, LARGEST_PARTITION));
    }

    /** What a probe's JVM may take: more than twice what Kafka's default needs. */
    long heapMib() {
        return Math.max(LEAST_HEAP_MIB, (long) segments * BYTES_PER_SEGMENT / (1024 * 1024));
    }

    /** The most segments that Shelfmark may hold when it has to make do with less than there are. */
    int boundedSegments() {
        return Math.max(1_000, segments / 10);
    }

    /** How long the probes' series are. */
    Map<String, String> series() {
        return Map.of(
                Reading.LOOKUPS, thorough ? "400000" : "20000",
                Reading.PASSES, thorough ? "3" : "1",
                Writing.SECONDS, thorough ? "4" : "1",
                Deleting.SEGMENTS, thorough ? "10000" : "1000");
    }
}
