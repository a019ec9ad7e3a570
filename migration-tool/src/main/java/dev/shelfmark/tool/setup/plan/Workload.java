package dev.shelfmark.tool.setup.plan;

import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;

/**
 * A cluster whose topics are tiered.
 *
 * @param brokers how many
 * @param partitions tiered partitions, replicas not counted
 * @param replicas of each partition
 * @param bytesPerSecond what producers write to all of them, after compression
 * @param segmentBytes {@code segment.bytes}
 * @param segmentAge {@code segment.ms}: a segment is rolled at this age at the latest
 * @param retention how long records are kept
 * @param deletedKept {@code deleted.segments.retention.ms}
 * @param historyKept {@code history.retention.ms}; zero for none
 * @param poolSize {@code jdbc.pool.max.size}
 */
record Workload(
        int brokers,
        long partitions,
        int replicas,
        double bytesPerSecond,
        long segmentBytes,
        Duration segmentAge,
        Duration retention,
        Duration deletedKept,
        Duration historyKept,
        int poolSize) {

    Workload {
        positive("--brokers", brokers);
        positive("--partitions", (double) partitions);
        positive("--replicas", replicas);
        positive("--write-rate", bytesPerSecond);
        positive("--segment-bytes", (double) segmentBytes);
        positive("--segment-age", (double) segmentAge.toMillis());
        positive("--retention", (double) retention.toMillis());
        positive("--pool-size", poolSize);
    }

    private static void positive(String option, double value) {
        if (!(value > 0)) {
            throw ToolFailure.usage(option + " must be above 0");
        }
    }

    /** How many seconds one partition takes to fill a segment, or to roll it by its age. */
    double secondsPerSegment() {
        return Math.min((double) segmentBytes * (double) partitions / bytesPerSecond, (double) segmentAge.toSeconds());
    }

    /** Segments of all partitions that begin in a second. */
    double segmentsPerSecond() {
        return partitions / secondsPerSegment();
    }

    double liveSegments() {
        return segmentsPerSecond() * retention.toSeconds();
    }

    double deletedSegments() {
        return segmentsPerSecond() * deletedKept.toSeconds();
    }

    /** Changes in the history: a segment's life has four. */
    double changes() {
        return segmentsPerSecond() * Figures.CHANGES_OF_A_LIFE * historyKept.toSeconds();
    }
}
