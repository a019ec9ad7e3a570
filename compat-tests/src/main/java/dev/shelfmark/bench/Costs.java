package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;
import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.DELETE_SEGMENT_STARTED;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * What each operation asks of the store: requests, rows, and bytes on the wire or units billed. Nothing is timed. Each is the median of
 * several calls, so that what a broker does in the background, such as its look at the cluster's state, is in none of them.
 */
final class Costs {

    /** The setting that says how many partitions are led. */
    static final String LED = "costs.led";

    private static final int CALLS = 31;

    /** Short, for a shorter measurement; from one second on, a retention pass shares its looks. */
    private static final Duration STALE = Duration.ofSeconds(2);

    /** What is counted. */
    enum Operation {
        START("start to the first right lookup"),
        LOOKUP("lookup outside the cache"),
        HIGHEST("highest offset outside the cache"),
        TXN_INDEX("next transaction index outside the cache"),
        LIST("list outside the cache, for each segment"),
        PASS("retention pass, for each partition"),
        COPY_STARTED("report of an upload's begin"),
        COPY_FINISHED("report of an upload's end"),
        DELETE_STARTED("report of a deletion's begin"),
        DELETE_FINISHED("report of a deletion's end");

        private final String title;

        Operation(String title) {
            this.title = title;
        }

        /** For people. */
        String title() {
            return title;
        }

        /** Below which its results are. */
        String key() {
            return "costs." + name();
        }
    }

    private final ManagerUnderTest subject;
    private final Layout layout;
    private final Results results;
    private final LongSupplier carriedBytes;
    private final int led;

    private Costs(ManagerUnderTest subject, Settings settings, Results results, LongSupplier carriedBytes) {
        this.subject = subject;
        this.layout = Layout.of(settings);
        this.results = results;
        this.carriedBytes = carriedBytes;
        this.led = Math.min(settings.number(LED), layout.partitions());
    }

    /** Of PostgreSQL with the bytes on the wire, without TLS. */
    static void measure(Settings settings, Results results) {
        Settings given = settings.with(Backend.MANAGER + "cache.leader.max.staleness.ms", STALE.toMillis());
        if (given.values().containsKey(CountingProxy.URL)) {
            try (CountingProxy way = CountingProxy.of(given)) {
                measure(way.settings(), results, way.proxy()::carriedBytes);
            }
        } else {
            measure(given, results, () -> 0);
        }
    }

    private static void measure(Settings settings, Results results, LongSupplier carriedBytes) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            Costs costs = new Costs(subject, settings, results, carriedBytes);
            costs.outsideMemory();
            costs.led();
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a question was not answered", e);
        }
    }

    private void outsideMemory() throws RemoteStorageException {
        subject.follow(layout);
        new Answers(subject.manager(), layout).await(layout.partition(0), layout.firstOffset());
        long bytes = carriedBytes.getAsLong();
        StoreTraffic.awaitPublished();
        put(Operation.START, List.of(new Asked(StoreTraffic.withBackground(), bytes)), 1);

        Lookups lookups = new Lookups(subject.manager(), layout);
        count(Operation.LOOKUP, 1, i -> lookups.ask(Questions.random(layout, 1, i)));
        count(Operation.HIGHEST, 1, i -> lookups.highest(1));
        count(Operation.TXN_INDEX, 1, i -> {
            TopicIdPartition partition = layout.partition(i % layout.partitions());
            if (subject.manager()
                    .nextSegmentWithTxnIndex(partition, Layout.EPOCH, layout.firstOffset())
                    .isPresent()) {
                throw new WrongAnswer(partition + " is said to have a transaction index");
            }
        });
    }

    private void led() throws RemoteStorageException {
        Layout ours = new Layout(layout.topic(), led, layout.deleted(), layout.live());
        subject.lead(ours);
        RetentionPass retention = new RetentionPass(subject.manager(), ours);
        List<Asked> lists = new ArrayList<>();
        for (int i = 0; i < Math.min(CALLS, led); i++) {
            TopicIdPartition partition = ours.partition(i);
            lists.add(asked(() -> retention.list(partition)));
        }
        put(Operation.LIST, lists, layout.live());

        retention.run();
        LockSupport.parkNanos(STALE.plusMillis(100).toNanos());
        put(Operation.PASS, List.of(asked(retention::run)), led);

        Reports reports = new Reports(subject.manager(), ours);
        TopicIdPartition partition = ours.partition(led - 1);
        long first = ours.nextOffset() / Layout.OFFSETS;
        report(Operation.COPY_STARTED, reports, partition, first, COPY_SEGMENT_STARTED);
        report(Operation.COPY_FINISHED, reports, partition, first, COPY_SEGMENT_FINISHED);
        report(Operation.DELETE_STARTED, reports, partition, first, DELETE_SEGMENT_STARTED);
        report(Operation.DELETE_FINISHED, reports, partition, first, DELETE_SEGMENT_FINISHED);
        reports.check(partition, layout.live(), first + CALLS);
    }

    private void report(
            Operation operation, Reports reports, TopicIdPartition partition, long first, RemoteLogSegmentState state)
            throws RemoteStorageException {
        count(operation, 1, i -> Reports.await(reports.report(partition, first + i, state)));
    }

    private interface Call {
        void run() throws RemoteStorageException;
    }

    private interface NumberedCall {
        void run(int number) throws RemoteStorageException;
    }

    private record Asked(StoreTraffic traffic, long bytes) {}

    private void count(Operation operation, int parts, NumberedCall call) throws RemoteStorageException {
        List<Asked> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            int number = i;
            calls.add(asked(() -> call.run(number)));
        }
        put(operation, calls, parts);
    }

    private Asked asked(Call call) throws RemoteStorageException {
        StoreTraffic before = StoreTraffic.now();
        long bytesBefore = carriedBytes.getAsLong();
        call.run();
        long bytes = carriedBytes.getAsLong() - bytesBefore;
        return new Asked(StoreTraffic.now().since(before), bytes);
    }

    /** What is not asked for at all has no result: units of PostgreSQL, bytes where they are not counted, rows of what was not found. */
    private void put(Operation operation, List<Asked> calls, int parts) {
        put(operation, "requests", calls, parts, call -> call.traffic().requests());
        put(operation, "rows", calls, parts, call -> call.traffic().rows());
        put(operation, "bytes", calls, parts, Asked::bytes);
        put(operation, "read-units", calls, parts, call -> call.traffic().readUnits());
        put(operation, "write-units", calls, parts, call -> call.traffic().writeUnits());
    }

    private void put(Operation operation, String what, List<Asked> calls, int parts, ToDoubleFunction<Asked> number) {
        double median = Samples.median(calls.stream().map(number::applyAsDouble).toList());
        if (median > 0) {
            results.put(operation.key() + "." + what, median / parts);
        }
    }
}
