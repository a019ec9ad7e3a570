package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_STARTED;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;

/** A topic's deletion, as a broker does it: for one partition after the other, the same report of all its segments at once, twice. */
final class Deleting {

    /** The setting that says how many segments the topic has. */
    static final String SEGMENTS = "delete.segments";

    private static final int PARTITIONS = 10;
    private static final int ONE_BY_ONE = 200;

    /** How many topics are deleted in turn, after one more. */
    private static final int TOPICS = 3;

    private Deleting() {}

    static void measure(Settings settings, Results results) {
        int each = settings.number(SEGMENTS) / PARTITIONS;
        Backend side = Backend.valueOf(settings.text(Probe.SIDE));
        Map<String, List<Double>> measured = new HashMap<>();
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            for (int topic = 0; topic <= TOPICS; topic++) {
                Layout layout =
                        new Layout(settings.text("layout.topic") + "-deleted-" + topic, PARTITIONS + 1, 0, each);
                Map<String, Double> millis = topic(subject, layout, side);
                // The first one warms up: a broker has deleted topics before.
                if (topic > 0) {
                    millis.forEach((name, value) -> measured.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(value));
                }
            }
        }
        measured.forEach((name, values) -> results.put(name, Samples.median(values)));
    }

    private static Map<String, Double> topic(ManagerUnderTest subject, Layout layout, Backend side) {
        int each = layout.live();
        subject.lead(layout);
        subject.awaitReady(layout);
        Reports reports = new Reports(subject.manager(), layout);
        for (TopicIdPartition partition : layout.all()) {
            reports.reportAll(partition, 0, each, COPY_SEGMENT_STARTED);
            reports.reportAll(partition, 0, each, COPY_SEGMENT_FINISHED);
            reports.check(partition, each, each);
        }
        long began = System.nanoTime();
        for (int i = 0; i < PARTITIONS; i++) {
            reports.reportAll(layout.partition(i), 0, each, DELETE_SEGMENT_STARTED);
            reports.reportAll(layout.partition(i), 0, each, DELETE_SEGMENT_FINISHED);
        }
        double millis = (System.nanoTime() - began) / 1e6;
        for (int i = 0; i < PARTITIONS; i++) {
            reports.check(layout.partition(i), 0, each);
        }
        return side == Backend.SHELFMARK
                ? Map.of("delete.ms", millis, "delete.one-by-one.ms", oneByOneMillis(reports, layout))
                : Map.of("delete.ms", millis);
    }

    /** What it would take with a commit for each change, from some changes that are waited for one by one. */
    private static double oneByOneMillis(Reports reports, Layout layout) {
        int changes = Math.min(ONE_BY_ONE, layout.live());
        long began = System.nanoTime();
        for (int segment = 0; segment < changes; segment++) {
            Reports.await(reports.report(layout.partition(PARTITIONS), segment, DELETE_SEGMENT_STARTED));
        }
        return (System.nanoTime() - began) / 1e6 / changes * 2 * layout.live() * PARTITIONS;
    }
}
