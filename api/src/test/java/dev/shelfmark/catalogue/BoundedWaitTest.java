package dev.shelfmark.catalogue;

import static dev.shelfmark.catalogue.Segments.PARTITION;
import static dev.shelfmark.catalogue.Segments.TOPIC;
import static dev.shelfmark.catalogue.Segments.add;
import static dev.shelfmark.catalogue.Segments.finish;
import static dev.shelfmark.catalogue.Segments.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that hangs until the test ends: whoever asks is told long before. */
@Timeout(30)
class BoundedWaitTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final WatchedStore store = new WatchedStore(WatchedStore.database(), HOUR);
    private final ExecutorService readers = Executors.newCachedThreadPool();
    private final CountDownLatch hang = new CountDownLatch(1);
    private final AtomicInteger recovered = new AtomicInteger();
    private volatile Duration retryAfter = HOUR;
    private final SegmentCatalogue broker = new SegmentCatalogue(
            store,
            new CatalogueSettings(1_000_000, Duration.ZERO, Duration.ZERO, HOUR, HOUR),
            CatalogueListener.NONE,
            Runnable::run,
            readers,
            () -> new ReadPatience(Duration.ofMillis(100), retryAfter),
            recovered::incrementAndGet);

    @BeforeEach
    void write() {
        broker.write(PARTITION, TOPIC, List.of(add(1, 0, 9), finish(1)), Deadline.in(Duration.ofSeconds(5)));
    }

    @AfterEach
    void end() {
        hang.countDown();
        readers.shutdownNow();
    }

    private void hang() {
        store.beforeRead = () -> {
            try {
                assertThat(hang.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Test
    void theThreadThatAsksIsAnsweredFromMemoryWhileTheStoreHangs() {
        broker.leads(Set.of(PARTITION));
        broker.list(PARTITION, SegmentRecord::segmentId);
        hang();

        assertThat(broker.lookup(PARTITION, 0, 5, SegmentRecord::segmentId)).contains(id(1));
    }

    @Test
    void aPartitionThatIsNotLedFailsWithinItsBoundAndThenAtOnce() {
        hang();
        assertThatThrownBy(() -> broker.lookup(PARTITION, 0, 5, SegmentRecord::segmentId))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("silent for 100 ms");
        store.asked.clear();

        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(() -> broker.highestOffset(PARTITION, 0))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("the store failed");
        }
        assertThat(store.asked).isEmpty();
    }

    @Test
    void aStoreThatAnswersAgainIsAskedAtOnceAndEndsTheWaits() {
        hang();
        assertThatThrownBy(() -> broker.highestOffset(PARTITION, 0)).isInstanceOf(StoreException.Unavailable.class);
        store.beforeRead = () -> {};

        broker.storeAnswers();

        assertThat(recovered).hasValue(1);
        assertThat(broker.highestOffset(PARTITION, 0)).contains(9L);
    }

    @Test
    void oneCallerIsLetThroughToTryAgain() {
        store.down = true;
        assertThatThrownBy(() -> broker.highestOffset(PARTITION, 0)).isInstanceOf(StoreException.Unavailable.class);
        store.down = false;
        retryAfter = Duration.ZERO;

        assertThat(broker.highestOffset(PARTITION, 0)).contains(9L);
        assertThat(recovered).hasValue(1);
    }
}
