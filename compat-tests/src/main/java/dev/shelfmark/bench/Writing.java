package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_STARTED;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/**
 * A segment's whole life, reported state by state as a broker does: each thread works for a partition of its own and waits for each report.
 * Then many reports at once, as when a topic is deleted.
 */
final class Writing {

    /** The setting that says for how many milliseconds each series runs. */
    static final String MILLIS = "write.ms";

    /** How many threads write in the series; the second has as many as Shelfmark's own writers by default. */
    static final List<Integer> THREADS = List.of(1, 4, 20);

    /** How many partitions have many reports waiting at once. */
    static final int GROUPED_PARTITIONS = 4;

    /** How many times as long as a series what is measured runs before. */
    static final int WARM_SERIES = 10;

    private static final int GROUP = 100;
    private static final List<RemoteLogSegmentState> LIFE =
            List.of(COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED, DELETE_SEGMENT_FINISHED);

    private final ManagerUnderTest subject;
    private final Results results;
    private final String topic;
    private final Duration duration;

    private Writing(ManagerUnderTest subject, Settings settings, Results results) {
        this.subject = subject;
        this.results = results;
        this.topic = settings.text("layout.topic");
        this.duration = Duration.ofMillis(settings.number(MILLIS));
    }

    static void measure(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            Writing writing = new Writing(subject, settings, results);
            // Until the just-in-time compiler is done: a broker reports for days, and bare commits run compiled at
            // once.
            writing.oneByOne("warm", 4, writing.duration.multipliedBy(WARM_SERIES));
            for (int threads : THREADS) {
                Runnable series = () -> writing.oneByOne("write." + threads, threads, writing.duration);
                BareCommits.around(series, threads, settings, results);
            }
            writing.grouped();
        }
    }

    private Layout prepare(String name, int partitions) {
        Layout layout = new Layout(topic + "-" + name, partitions, 0, 1);
        subject.lead(layout);
        subject.awaitReady(layout);
        Reports reports = new Reports(subject.manager(), layout);
        // As a broker does within half a minute of leading a partition.
        layout.all().forEach(partition -> reports.check(partition, 0, 0));
        return layout;
    }

    private void oneByOne(String name, int threads, Duration time) {
        Layout layout = prepare(name, threads);
        Reports reports = new Reports(subject.manager(), layout);
        long deadline = System.nanoTime() + time.toNanos();
        StoreTraffic before = StoreTraffic.now();
        long began = System.nanoTime();
        List<Callable<Map<RemoteLogSegmentState, List<Long>>>> writers = IntStream.range(0, threads)
                .<Callable<Map<RemoteLogSegmentState, List<Long>>>>mapToObj(
                        i -> () -> lives(reports, layout.partition(i), deadline))
                .toList();
        List<Map<RemoteLogSegmentState, List<Long>>> written = Together.call(writers);
        double seconds = (System.nanoTime() - began) / 1e9;
        StoreTraffic traffic = StoreTraffic.now().since(before);
        long changes = 0;
        for (RemoteLogSegmentState state : LIFE) {
            List<long[]> nanos = written.stream()
                    .map(each -> each.getOrDefault(state, List.of()).stream()
                            .mapToLong(Long::longValue)
                            .toArray())
                    .toList();
            Latencies latencies = Latencies.of(nanos);
            changes += latencies.count();
            results.latencies(name + "." + state.name().toLowerCase(Locale.ROOT), latencies);
        }
        results.put(name + ".rate", changes / seconds);
        results.put(name + ".statements", (double) traffic.requests() / changes);
        results.put(name + ".rows", (double) traffic.rows() / changes);
    }

    private static Map<RemoteLogSegmentState, List<Long>> lives(
            Reports reports, TopicIdPartition partition, long deadline) {
        Map<RemoteLogSegmentState, List<Long>> nanos = new EnumMap<>(RemoteLogSegmentState.class);
        long segment = 0;
        do {
            for (RemoteLogSegmentState state : LIFE) {
                long began = System.nanoTime();
                Reports.await(reports.report(partition, segment, state));
                nanos.computeIfAbsent(state, unused -> new ArrayList<>()).add(System.nanoTime() - began);
            }
            segment++;
        } while (System.nanoTime() - deadline < 0);
        reports.check(partition, 0, segment);
        return nanos;
    }

    private void grouped() {
        Layout layout = prepare("grouped", GROUPED_PARTITIONS);
        Reports reports = new Reports(subject.manager(), layout);
        long deadline = System.nanoTime() + duration.toNanos();
        long began = System.nanoTime();
        List<Callable<Long>> writers = IntStream.range(0, GROUPED_PARTITIONS)
                .<Callable<Long>>mapToObj(i -> () -> groups(reports, layout.partition(i), deadline))
                .toList();
        long changes =
                Together.call(writers).stream().mapToLong(Long::longValue).sum();
        results.put("write.grouped.rate", changes / ((System.nanoTime() - began) / 1e9));
    }

    private static long groups(Reports reports, TopicIdPartition partition, long deadline) {
        long segments = 0;
        do {
            for (RemoteLogSegmentState state : LIFE) {
                reports.reportAll(partition, segments, segments + GROUP, state);
            }
            segments += GROUP;
        } while (System.nanoTime() - deadline < 0);
        reports.check(partition, 0, segments);
        return segments * LIFE.size();
    }
}
