package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicIdPartition;

/** Shelfmark's database can't be reached for a while: what is answered meanwhile, and how soon all is well once it is back. */
final class Recovering {

    /** The setting that says for how many milliseconds the database is away. */
    static final String AWAY = "away.ms";

    private static final int LOOKUPS = 1_000;

    private Recovering() {}

    static void measure(Settings settings, Results results) {
        Layout layout = Layout.of(settings);
        try (CountingProxy way = CountingProxy.of(settings);
                ManagerUnderTest subject = ManagerUnderTest.open(way.settings())) {
            TopicIdPartition led = layout.partition(0);
            TopicIdPartition followed = layout.partition(1);
            subject.lead(new Layout(layout.topic(), 1, layout.deleted(), layout.live()));
            Answers answers = new Answers(subject.manager(), layout);
            answers.await(followed, layout.firstOffset());
            new Reports(subject.manager(), layout).check(led, layout.live(), (long) layout.deleted() + layout.live());

            way.proxy().refuse();
            long back =
                    System.nanoTime() + Duration.ofMillis(settings.number(AWAY)).toNanos();
            CompletableFuture<Void> waiting = new Reports(subject.manager(), layout)
                    .report(led, layout.nextOffset() / Layout.OFFSETS, COPY_SEGMENT_STARTED);
            for (int i = 0; i < LOOKUPS; i++) {
                answers.require(led, layout.firstOffset() + i % layout.live());
            }
            LockSupport.parkNanos(back - System.nanoTime());

            way.proxy().heal();
            long healed = System.nanoTime();
            answers.await(followed, layout.firstOffset());
            results.millisSince("recovery.read", healed);
            Reports.await(waiting);
            results.millisSince("recovery.write", healed);
        }
    }
}
