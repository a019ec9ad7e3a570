package dev.shelfmark.bench;

import static org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState.COPY_SEGMENT_STARTED;

import dev.shelfmark.compat.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicIdPartition;

/** Shelfmark's database can't be reached for a while: what is answered meanwhile, and how soon all is well once it is back. */
final class Recovering {

    private static final String URL = Side.MANAGER + "jdbc.url";
    private static final Duration AWAY = Duration.ofSeconds(5);
    private static final int LOOKUPS = 1_000;

    private Recovering() {}

    static void measure(Settings settings, Results results) {
        Layout layout = Layout.of(settings);
        URI server = URI.create(settings.text(URL).substring("jdbc:".length()));
        try (FaultProxy way = new FaultProxy(server.getHost(), server.getPort());
                Subject subject = Subject.open(
                        settings.with(URL, "jdbc:postgresql://" + way.host() + ":" + way.port() + server.getPath()))) {
            TopicIdPartition led = layout.partition(0);
            TopicIdPartition followed = layout.partition(1);
            subject.lead(new Layout(layout.topic(), 1, layout.deleted(), layout.live()));
            Answers answers = new Answers(subject.manager(), layout);
            answers.await(followed, layout.firstOffset());
            new Reports(subject.manager(), layout).check(led, layout.live(), (long) layout.deleted() + layout.live());

            way.refuse();
            long back = System.nanoTime() + AWAY.toNanos();
            CompletableFuture<Void> waiting = new Reports(subject.manager(), layout)
                    .report(led, layout.nextOffset() / Layout.OFFSETS, COPY_SEGMENT_STARTED);
            for (int i = 0; i < LOOKUPS; i++) {
                answers.require(led, layout.firstOffset() + i % layout.live());
            }
            LockSupport.parkNanos(back - System.nanoTime());

            way.heal();
            long healed = System.nanoTime();
            answers.await(followed, layout.firstOffset());
            results.millisSince("recovery.read", healed);
            Reports.await(waiting);
            results.millisSince("recovery.write", healed);
        }
    }
}
