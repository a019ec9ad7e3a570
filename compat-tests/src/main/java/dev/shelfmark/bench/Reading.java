package dev.shelfmark.bench;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** What a broker that leads every partition pays for reads: from its start, and once it runs. */
final class Reading {

    /** The setting that says how many lookups each series has. */
    static final String LOOKUPS = "lookups";

    /** The setting that says how many retention passes are made. */
    static final String PASSES = "passes";

    static final int THREADS = 8;

    /** A sequential consumer's lookups take so little that as many as of the others would be over while the compiler is still at work. */
    private static final int SEQUENTIAL = 8;

    /** The setting that says for how many milliseconds a partition that is led is answered without asking the store. */
    static final String STALENESS = "staleness.ms";

    private final ManagerUnderTest subject;
    private final Settings settings;
    private final Results results;
    private final Layout layout;
    private final Lookups lookups;
    private final RetentionPass retention;
    private final int count;

    private Reading(ManagerUnderTest subject, Settings settings, Results results) {
        this.subject = subject;
        this.settings = settings;
        this.results = results;
        this.layout = Layout.of(settings);
        this.lookups = new Lookups(subject.manager(), layout);
        this.retention = new RetentionPass(subject.manager(), layout);
        this.count = settings.number(LOOKUPS);
    }

    static void empty(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            Reading reading = new Reading(subject, settings, results);
            // With what the first question loads, once for all: it is no segment's.
            Layout other = new Layout(settings.text("layout.topic") + "-empty", 1, 0, 1);
            subject.lead(other);
            subject.awaitReady(other);
            new Reports(subject.manager(), other).check(other.partition(0), 0, 0);
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            results.put("heap.bytes", Heap.liveBytes());
            reading.keep();
        }
    }

    static void first(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            new Reading(subject, settings, results).first(new Random());
        }
    }

    static void start(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            new Reading(subject, settings, results).start();
        }
    }

    static void bounded(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            Reading reading = new Reading(subject, settings, results);
            reading.start();
            results.put("heap.bytes", Heap.liveBytes());
            reading.keep();
        }
    }

    static void everything(Settings settings, Results results) {
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            Reading reading = new Reading(subject, settings, results);
            reading.start();
            results.put("heap.bytes", Heap.liveBytes());
            reading.lookups();
            reading.lists();
            reading.keep();
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a question was not answered", e);
        }
    }

    private void start() {
        Random random = new Random(layout.live());
        Answers answers = first(random);
        for (TopicIdPartition partition : layout.all()) {
            answers.await(partition, somewhere(random));
        }
        results.millisSince("start.all", subject.openedNanos());
        StoreTraffic before = StoreTraffic.now();
        retention.run();
        results.millisSince("start.listed", subject.openedNanos());
        results.put("start.listed.rows", StoreTraffic.now().since(before).rows());
        results.put("start.loaded", StoreTraffic.now().loaded());
    }

    private Answers first(Random random) {
        subject.lead(layout);
        Answers answers = new Answers(subject.manager(), layout);
        int first = random.nextInt(layout.partitions());
        answers.await(layout.partition(first), somewhere(random));
        results.millisSince("start.first", subject.openedNanos());
        return answers;
    }

    private long somewhere(Random random) {
        return layout.firstOffset() + (long) (random.nextDouble() * layout.live() * Layout.OFFSETS);
    }

    private void lookups() throws RemoteStorageException {
        Questions random = Questions.random(layout, count, 1);
        Questions sequential = Questions.sequential(layout, SEQUENTIAL * count);
        lookups.ask(Questions.random(layout, count, 2));
        lookups.ask(sequential);
        results.latencies("lookup.random", Latencies.of(lookups.ask(random)));
        results.latencies("lookup.sequential", Latencies.of(lookups.ask(sequential)));
        results.latencies("lookup.threads", lookups.ask(THREADS, count / 2, 3));
        // A look at the store allocates too, and is no part of a lookup in memory: make it before.
        retention.run();
        results.put("lookup.bytes", lookups.bytesPerLookup(random));
        lookups.bytesPerAnswer(random);
        results.put("lookup.answer.bytes", lookups.bytesPerAnswer(random));
    }

    private void lists() throws RemoteStorageException {
        List<TopicIdPartition> partitions = layout.all();
        long[] nanos = new long[Math.max(200, partitions.size())];
        for (int i = 0; i < nanos.length; i++) {
            TopicIdPartition partition = partitions.get(i % partitions.size());
            long began = System.nanoTime();
            retention.list(partition);
            nanos[i] = System.nanoTime() - began;
        }
        results.latencies("list", Latencies.of(nanos));
        results.latencies("highest", Latencies.of(lookups.highest(20_000)));
        passes();
    }

    private void passes() {
        int passes = settings.number(PASSES);
        // As between two passes of a broker: every partition's state is then old.
        Duration untilStale = Duration.ofMillis(settings.number(STALENESS) + 100L);
        long[] nanos = new long[passes];
        StoreTraffic before = StoreTraffic.now();
        for (int i = 0; i < passes; i++) {
            LockSupport.parkNanos(untilStale.toNanos());
            long began = System.nanoTime();
            retention.run();
            nanos[i] = System.nanoTime() - began;
        }
        StoreTraffic traffic = StoreTraffic.now().since(before);
        results.put("pass.ms", Latencies.of(nanos).quantileNanos(0.5) / 1e6);
        results.put("pass.statements", (double) traffic.requests() / passes);
        results.put("pass.rows", (double) traffic.rows() / passes);
        results.put("pass.loaded", (double) traffic.loaded() / passes);
    }

    /** What the measurement itself holds must be alive when the heap is measured, on both sides. */
    private void keep() {
        results.put("lookups", count + lookups.kept().map(kept -> 0).orElse(0));
    }
}
