package dev.shelfmark.bench;

import java.util.Map;

/**
 * How much is measured.
 *
 * @param segments live segments
 * @param partitions over which they are spread
 * @param rounds how often each side is measured
 * @param tenfold whether to measure Shelfmark with ten times the segments, too
 * @param thorough whether to measure for so long that the numbers mean something
 */
record Plan(int segments, int partitions, int rounds, boolean tenfold, boolean thorough) {

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
        return new Plan(2_000, 20, 1, true, false);
    }

    Layout layout() {
        return new Layout("measured", partitions, 0, segments / partitions);
    }

    /** A tenth of the segments, over as many partitions. */
    Layout tenth() {
        return new Layout("tenth", partitions, 0, segments / partitions / 10);
    }

    /** As many as {@link #tenth}, over ten times as many partitions. */
    Layout scattered() {
        return new Layout("scattered", partitions * 10, 0, Math.max(1, segments / partitions / 100));
    }

    /** Ten times the segments, over as many partitions. */
    Layout tenfoldLayout() {
        return new Layout("tenfold", partitions, 0, segments / partitions * 10);
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

    /** How often a start is repeated that takes no more than a moment. */
    int starts() {
        return thorough ? 7 : 1;
    }

    /** Of how many partitions costs are counted: those of the largest catalogue have no more segments than all of them together. */
    int countedPartitions() {
        return Math.min(100, partitions / 10);
    }

    /** The most segments that Shelfmark may hold when it has to make do with less than there are. */
    int boundedSegments() {
        return Math.max(1_000, segments / 10);
    }

    /** How long the probes' series are. */
    Map<String, String> series() {
        return Map.of(
                Costs.LED, Integer.toString(countedPartitions()),
                // By default as in production.
                Reading.STALENESS, thorough ? "5000" : "1000",
                Recovering.AWAY, thorough ? "5000" : "1000",
                Reading.LOOKUPS, thorough ? "400000" : "20000",
                Uncached.QUESTIONS, thorough ? "5000" : "250",
                Reading.PASSES, thorough ? "3" : "1",
                Writing.MILLIS, thorough ? "4000" : "300",
                Deleting.SEGMENTS, thorough ? "10000" : "200");
    }
}
