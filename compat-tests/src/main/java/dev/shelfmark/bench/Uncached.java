package dev.shelfmark.bench;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** What is asked of partitions that are not held in memory: each answer comes from the store. */
final class Uncached {

    /** The setting that says how many questions each series has. */
    static final String QUESTIONS = "questions";

    /** Lists are long: as many as have so many segments together. */
    private static final int LISTED_SEGMENTS = 100_000;

    private static final int MOST_LISTS = 50;

    private final RemoteLogMetadataManager manager;
    private final Layout layout;
    private final Results results;
    private final int count;

    private Uncached(RemoteLogMetadataManager manager, Layout layout, Settings settings, Results results) {
        this.manager = manager;
        this.layout = layout;
        this.results = results;
        this.count = settings.number(QUESTIONS);
    }

    static void measure(Settings settings, Results results) {
        Layout layout = Layout.of(settings);
        try (ManagerUnderTest subject = ManagerUnderTest.open(settings)) {
            subject.follow(layout);
            new Answers(subject.manager(), layout).await(layout.partition(0), layout.firstOffset());
            Uncached uncached = new Uncached(subject.manager(), layout, settings, results);
            uncached.lookups();
            uncached.lists();
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a question was not answered", e);
        }
    }

    private void lookups() throws RemoteStorageException {
        Lookups lookups = new Lookups(manager, layout);
        lookups.ask(Questions.random(layout, count, 1));
        StoreTraffic.awaitPublished();
        StoreTraffic before = StoreTraffic.now();
        results.latencies("uncached", Latencies.of(lookups.ask(Questions.random(layout, count, 2))));
        StoreTraffic traffic = StoreTraffic.now().since(before);
        results.put("uncached.statements", (double) traffic.requests() / count);
        results.put("uncached.rows", (double) traffic.rows() / count);
        results.latencies("uncached.highest", Latencies.of(lookups.highest(count)));
    }

    private void lists() throws RemoteStorageException {
        int lists = Math.min(Math.min(MOST_LISTS, layout.partitions()), LISTED_SEGMENTS / layout.live());
        if (lists == 0) {
            return;
        }
        RetentionPass retention = new RetentionPass(manager, layout);
        long began = System.nanoTime();
        for (int i = 0; i < lists; i++) {
            retention.list(layout.partition(i));
        }
        double micros = (double) TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
        results.put("uncached.list.per-segment", micros / lists / layout.live());
    }
}
