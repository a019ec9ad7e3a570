package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_STARTED;

import org.apache.kafka.common.TopicIdPartition;

/** A topic's deletion, as a broker does it: for one partition after the other, the same report of all its segments at once, twice. */
final class Deleting {

    /** The setting that says how many segments the topic has. */
    static final String SEGMENTS = "delete.segments";

    private static final int PARTITIONS = 10;
    private static final int ONE_BY_ONE = 200;

    private Deleting() {}

    static void measure(Settings settings, Results results) {
        int each = settings.number(SEGMENTS) / PARTITIONS;
        try (Subject subject = Subject.open(settings)) {
            Layout layout = new Layout(settings.text("layout.topic") + "-deleted", PARTITIONS + 1, 0, each);
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
            results.millisSince("delete.ms", began);
            for (int i = 0; i < PARTITIONS; i++) {
                reports.check(layout.partition(i), 0, each);
            }
            oneByOne(reports, layout.partition(PARTITIONS), each, results);
        }
    }

    /** What it would take with a commit for each change, from some changes that are waited for one by one. */
    private static void oneByOne(Reports reports, TopicIdPartition partition, int each, Results results) {
        int changes = Math.min(ONE_BY_ONE, each);
        long began = System.nanoTime();
        for (int segment = 0; segment < changes; segment++) {
            Reports.await(reports.report(partition, segment, DELETE_SEGMENT_STARTED));
        }
        double millisEach = (System.nanoTime() - began) / 1e6 / changes;
        results.put("delete.one-by-one.ms", millisEach * 2 * each * PARTITIONS);
    }
}
