package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.compat.CommitAttempt.Outcome;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link CatalogueStore#close}, and threads that are interrupted. */
@DisplayName("Ending: close with calls under way, and calls of interrupted threads")
public abstract class EndingContract extends StoreContract {

    private static final Duration SLACK = Duration.ofSeconds(2);

    protected EndingContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    @Test
    @DisplayName("May be called twice, before any other call too")
    void closeTwice() {
        CatalogueStore unused = open();
        unused.close();
        unused.close();
        TestPartition partition = newPartition();
        CatalogueStore used = open();
        assertThat(partition.through(used).all()).isEmpty();
        used.close();
        used.close();
    }

    @Test
    @DisplayName("After close every call ends with Unavailable, and nothing is applied")
    void callsAfterClose() {
        TestPartition partition = newPartition();
        CatalogueStore closed = open();
        closed.close();
        TestPartition late = partition.through(closed);
        PartitionCommit commit = partition.next(Segments.finished(0, 9));
        assertThatThrownBy(closed::verify).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(late::all).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> late.commit(commit)).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> closed.cluster(partition.key().clusterId()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> closed.purgeDeleted(partition.key().clusterId(), 1))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThat(partition.all()).isEmpty();
    }

    @Test
    @DisplayName("Another store on the same database goes on")
    void othersGoOn() {
        TestPartition partition = newPartition();
        CatalogueStore closed = open();
        assertThat(partition.through(closed).all()).isEmpty();
        closed.close();
        partition.put(Segments.finished(0, 9));
    }

    @Test
    @DisplayName(
            "Calls under way end with Unavailable, a commit perhaps with OutcomeUnknown, and close does not wait for ever")
    void closeWithCallsUnderWay() throws Exception {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        TestPartition disturbed = partition.through(faulty.store());
        assertThat(disturbed.all()).hasSize(1);
        PartitionCommit commit = partition.next(Segments.finished(10, 19));
        faulty.faults().blackHole();
        CountDownLatch begun = new CountDownLatch(2);
        FutureTask<CommitAttempt> committing = new FutureTask<>(() -> {
            begun.countDown();
            return CommitAttempt.of(disturbed, commit);
        });
        FutureTask<List<SegmentRecord>> reading = new FutureTask<>(() -> {
            begun.countDown();
            return disturbed.all();
        });
        start(committing);
        start(reading);
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();
        faulty.store().close();
        Duration limit = harness().callLimit().plus(SLACK);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("close").isLessThan(limit);
        assertThatThrownBy(() -> reading.get(limit.toMillis(), TimeUnit.MILLISECONDS))
                .hasCauseInstanceOf(StoreException.Unavailable.class);
        CommitAttempt attempt = committing.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(attempt.outcome()).isIn(Outcome.UNAVAILABLE, Outcome.UNKNOWN);
        faulty.faults().heal();
        Awaitility.await()
                .during(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> attempt.applied(partition));
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body, "caller");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    @DisplayName("Gives up every connection and thread: opening and closing again and again leaves nothing behind")
    void threadsEnd() throws Exception {
        TestPartition partition = newPartition();
        openUseAndClose(partition);
        int stores = 30;
        // Threads are of the group of those who start them: what runs beside this test is not counted.
        ThreadGroup group = new ThreadGroup("stores");
        FutureTask<Boolean> body = new FutureTask<>(() -> {
            for (int i = 0; i < stores; i++) {
                openUseAndClose(partition);
            }
            return true;
        });
        new Thread(group, body, "opens and closes").start();
        assertThat(body.get(2, TimeUnit.MINUTES)).isTrue();
        // A driver may have a thread of its own for all stores, but none may have one for each.
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(group.activeCount()).isLessThan(stores / 2));
    }

    private void openUseAndClose(TestPartition partition) {
        CatalogueStore store = harness().open(LONG_RETENTION, StoreListener.NONE);
        partition.through(store).putOne(Segments.finished(0, 9));
        store.close();
    }

    @Test
    @DisplayName(
            "A call of an interrupted thread ends with an answer, Unavailable or OutcomeUnknown; its interrupt flag is then set")
    void interruptedBefore() throws Exception {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(Segments.finished(0, 9));
        PartitionCommit commit = partition.next(Segments.finished(10, 19));
        CatalogueStore store = open();
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            TestPartition mine = partition.through(store);
            Thread.currentThread().interrupt();
            try {
                assertThat(mine.all()).isEqualTo(written);
            } catch (StoreException.Unavailable e) {
                assertThat(Thread.currentThread().isInterrupted())
                        .as("after a read")
                        .isTrue();
            }
            Thread.currentThread().interrupt();
            CommitAttempt attempt = CommitAttempt.of(mine, commit);
            boolean flag = Thread.interrupted();
            if (attempt.outcome() != Outcome.COMMITTED) {
                assertThat(flag).as("after a commit").isTrue();
            }
            return attempt.applied(partition);
        });
        start(interrupted);
        interrupted.get(30, TimeUnit.SECONDS);
        assertThat(partition.through(store).read(new Selection.All()).segments())
                .containsAll(written);
    }

    @Test
    @DisplayName("A thread that is interrupted while it waits ends within the limits, its interrupt flag set")
    void interruptedMeanwhile() throws Exception {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        TestPartition disturbed = partition.through(faulty.store());
        assertThat(disturbed.all()).hasSize(1);
        faulty.faults().blackHole();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<List<SegmentRecord>> reading = new FutureTask<>(() -> {
            begun.countDown();
            try {
                return disturbed.all();
            } finally {
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        Thread thread = start(reading);
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        assertThatThrownBy(() -> reading.get(harness().callLimit().plus(SLACK).toMillis(), TimeUnit.MILLISECONDS))
                .hasCauseInstanceOf(StoreException.Unavailable.class);
        assertThat(flag.get()).isTrue();
    }
}
