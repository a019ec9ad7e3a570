package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.SegmentRecord;
import java.time.Duration;
import java.time.Instant;

/**
 * From where on something is wrong.
 *
 * @param now the time of the check
 * @param age what changed more recently is in flight, and no anomaly
 * @param retention how long a topic keeps its records when no broker was asked
 * @param purgeAfter how long after its deletion a segment's record must be gone
 * @param smallSegments as many segments of a partition are very many
 * @param smallBytes segments that are smaller than this on average are very small
 */
public record CheckSettings(
        Instant now, Duration age, Duration retention, Duration purgeAfter, long smallSegments, long smallBytes) {

    /** The defaults, as the command's options have them. */
    public static CheckSettings defaults(Instant now) {
        return new CheckSettings(now, Duration.ofHours(6), Duration.ofDays(7), Duration.ofDays(10), 1_000, 1024 * 1024);
    }

    /** Whether a segment's last change is too recent to say that nothing more will come. */
    boolean inFlight(SegmentRecord segment) {
        return !olderThan(segment, age);
    }

    boolean olderThan(SegmentRecord segment, Duration limit) {
        return segment.eventTimestampMs() < now.minus(limit).toEpochMilli();
    }
}
