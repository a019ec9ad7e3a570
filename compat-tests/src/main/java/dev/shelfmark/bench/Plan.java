package dev.shelfmark.bench;

/**
 * How much is measured.
 *
 * @param segments live segments
 * @param partitions over which they are spread
 * @param rounds how often each side is measured
 */
record Plan(int segments, int partitions, int rounds) {

    private static final int LEAST = 1_000;
    private static final int BYTES_PER_SEGMENT = 1_600;
    private static final int LEAST_HEAP_MIB = 1_024;

    Plan {
        if (segments < LEAST || partitions < 1 || partitions > segments || rounds < 1) {
            throw new IllegalArgumentException(
                    "at least " + LEAST + " segments, 1 partition with a segment and 1 round; got " + segments + ", "
                            + partitions + " and " + rounds);
        }
    }

    static Plan quick() {
        return new Plan(5_000, 50, 1);
    }

    Layout layout() {
        return new Layout("measured", partitions, 0, segments / partitions);
    }

    /** What a probe's JVM may take: more than twice what Kafka's default needs. */
    long heapMib() {
        return Math.max(LEAST_HEAP_MIB, (long) segments * BYTES_PER_SEGMENT / (1024 * 1024));
    }

    int lookups() {
        return segments < 100_000 ? 20_000 : 400_000;
    }

    int passes() {
        return segments < 100_000 ? 1 : 3;
    }
}
