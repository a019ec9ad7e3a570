package dev.shelfmark.plugin.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.plugin.metrics.RlmmMetrics;
import dev.shelfmark.plugin.writes.WriteQueues.Pending;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every future ends, whatever happens to the threads that are to end it. */
@Timeout(60)
final class WriteQueuesTest {

    private static final MetadataEvent EVENT =
            new MetadataEvent.DeletePartition(PartitionDeletion.DELETE_PARTITION_MARKED, 1, 1);

    private final PartitionKey key = new PartitionKey("lkc-1", new UUID(1, 1), 0);
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private final CountDownLatch reading = new CountDownLatch(1);
    private volatile Runnable beforeRead = () -> {};
    private final Open open = new Open();
    private final WriteQueues queues = queues();

    @AfterEach
    void close() {
        mayRead.countDown();
        queues.close();
    }

    /** The calls that are not done. */
    private static final class Open extends AbstractSet<Pending> {
        private final Set<Pending> calls = ConcurrentHashMap.newKeySet();
        private volatile Runnable beforeAdd = () -> {};
        private volatile Runnable beforeIterator = () -> {};

        @Override
        public boolean add(Pending call) {
            beforeAdd.run();
            return calls.add(call);
        }

        @Override
        public boolean remove(Object call) {
            return calls.remove(call);
        }

        @Override
        public Iterator<Pending> iterator() {
            beforeIterator.run();
            return calls.iterator();
        }

        @Override
        public int size() {
            return calls.size();
        }
    }

    private WriteQueues queues() {
        RlmmConfig config = RlmmConfig.of(
                Map.of(
                        "store",
                        "switchable",
                        "switchable.server",
                        "unused",
                        "cluster.id",
                        "lkc-1",
                        "broker.id",
                        1,
                        "write.timeout.ms",
                        "200",
                        "write.threads",
                        "1",
                        "close.timeout.ms",
                        "0"),
                WriteQueuesTest.class.getClassLoader());
        SegmentCatalogue catalogue = new SegmentCatalogue(
                stuckInReads(), CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run);
        return new WriteQueues(catalogue, 10, config, new RlmmMetrics(), open);
    }

    private CatalogueStore stuckInReads() {
        CatalogueStore store = new InMemoryCatalogueStore(
                new InMemoryCatalogueStore.Database(Clock.systemUTC()),
                new Retention(Duration.ZERO, Duration.ZERO),
                StoreListener.NONE);
        return (CatalogueStore) Proxy.newProxyInstance(
                WriteQueuesTest.class.getClassLoader(),
                new Class<?>[] {CatalogueStore.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("read")) {
                        reading.countDown();
                        waitFor(mayRead);
                        beforeRead.run();
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** As a driver that does not listen to interrupts. */
    private static void waitFor(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                interrupted |= !latch.await(1, TimeUnit.SECONDS) && interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Void> submit() {
        return queues.submit(key, "orders", EVENT);
    }

    private static void fails(CompletableFuture<Void> future, String why) {
        assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining(why);
    }

    /** Such as a moment without memory. */
    @Test
    void anErrorEndsOneLookAtTheDeadlinesAndNotAllOfThem() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        open.beforeIterator = () -> {
            open.beforeIterator = () -> {};
            failed.countDown();
            throw new OutOfMemoryError("once");
        };
        CompletableFuture<Void> during = submit();
        assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> after = submit();

        fails(during, "not written within 200 ms");
        fails(after, "not written within 200 ms");
    }

    /** A failure that can't even be told, such as for want of memory: to make its message fails too. */
    private static final class Untold extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new Untold();
        }
    }

    @Test
    void aFailureThatCanNotBeToldLeavesThePartitionToWhoComesNext() throws Exception {
        beforeRead = () -> {
            beforeRead = () -> {};
            throw new Untold();
        };
        mayRead.countDown();
        fails(submit(), "not written within 200 ms");

        assertThat(submit()).succeedsWithin(Duration.ofSeconds(10));
    }

    /** The caller's thread sleeps on its way into the queue, and finds there what the closing left. */
    @Test
    void whoComesWhileItIsBeingClosedIsTold() throws Exception {
        CompletableFuture<Void> before = submit();
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
        CountDownLatch mayCome = new CountDownLatch(1);
        CountDownLatch coming = new CountDownLatch(1);
        open.beforeAdd = () -> {
            coming.countDown();
            waitFor(mayCome);
        };
        List<CompletableFuture<Void>> during = new CopyOnWriteArrayList<>();
        Thread caller = new Thread(() -> during.add(submit()));
        caller.start();
        assertThat(coming.await(10, TimeUnit.SECONDS)).isTrue();
        queues.close();
        mayCome.countDown();
        caller.join();

        fails(before, "closed");
        fails(during.get(0), "closed");
        assertThat(queues.waiting()).isZero();
    }
}
