package dev.shelfmark.bench;

import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Lookups of a partition that is not held in memory: each asks the store. */
final class Uncached {

    private static final int WARM_UP = 2_000;
    private static final int COUNT = 5_000;

    private Uncached() {}

    static void measure(Settings settings, Results results) {
        Layout layout = Layout.of(settings);
        try (Subject subject = Subject.open(settings)) {
            subject.follow(layout);
            new Answers(subject.manager(), layout).await(layout.partition(0), layout.firstOffset());
            Lookups lookups = new Lookups(subject.manager(), layout);
            lookups.ask(Questions.random(layout, WARM_UP, 1));
            StoreTraffic before = StoreTraffic.now();
            results.latencies("uncached", Latencies.of(lookups.ask(Questions.random(layout, COUNT, 2))));
            StoreTraffic traffic = StoreTraffic.now().since(before);
            results.put("uncached.statements", (double) traffic.requests() / COUNT);
            results.put("uncached.rows", (double) traffic.rows() / COUNT);
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a lookup was not answered", e);
        }
    }
}
