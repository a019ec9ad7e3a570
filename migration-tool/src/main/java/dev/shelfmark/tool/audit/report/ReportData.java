package dev.shelfmark.tool.audit.report;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.AnomalyKind;
import dev.shelfmark.tool.audit.walk.SegmentTotals;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** What a report says of the whole catalogue; grows with its topics and days, not with its segments. */
final class ReportData {

    static final int DAYS = 60;
    private static final int SHOWN_OF_A_KIND = 200;

    final Instant now;
    final SegmentTotals totals;
    final Map<TopicKey, Topic> topics = new LinkedHashMap<>();
    final TreeMap<LocalDate, Long> bytesByDay = new TreeMap<>();
    final Map<AnomalyKind, Long> anomalyCounts = new EnumMap<>(AnomalyKind.class);
    final Map<AnomalyKind, List<Anomaly>> anomalies = new EnumMap<>(AnomalyKind.class);
    long partitions;
    long bytesBefore;

    ReportData(Instant now) {
        this.now = now;
        this.totals = new SegmentTotals(now.minus(Duration.ofDays(1)));
        LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
        for (int i = 0; i < DAYS; i++) {
            bytesByDay.put(today.minusDays(i), 0L);
        }
    }

    record TopicKey(String clusterId, UUID topicId) {}

    /** A topic's sums. */
    static final class Topic {
        final String clusterId;
        final String name;
        final UUID id;
        final SegmentTotals totals;
        long partitions;

        Topic(String clusterId, String name, UUID id, Instant grownSince) {
            this.clusterId = clusterId;
            this.name = name;
            this.id = id;
            this.totals = new SegmentTotals(grownSince);
        }
    }

    /** Counts a segment for its day: by when it was finished, which is its last change. */
    void uploaded(SegmentRecord segment) {
        if (segment.state() == SegmentState.COPY_SEGMENT_FINISHED) {
            LocalDate day = Instant.ofEpochMilli(segment.eventTimestampMs())
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate();
            if (bytesByDay.computeIfPresent(day, (unused, bytes) -> bytes + segment.sizeInBytes()) == null) {
                bytesBefore += segment.sizeInBytes();
            }
        }
    }

    void found(Anomaly anomaly) {
        AnomalyKind kind = anomaly.finding().kind();
        anomalyCounts.merge(kind, 1L, Long::sum);
        List<Anomaly> shown = anomalies.computeIfAbsent(kind, unused -> new ArrayList<>());
        if (shown.size() < SHOWN_OF_A_KIND) {
            shown.add(anomaly);
        }
    }

    long anomalyCount() {
        return anomalyCounts.values().stream().mapToLong(Long::longValue).sum();
    }

    List<Topic> biggestTopics(int limit) {
        return topics.values().stream()
                .sorted(Comparator.comparingLong((Topic topic) -> topic.totals.bytes())
                        .reversed())
                .limit(limit)
                .toList();
    }
}
