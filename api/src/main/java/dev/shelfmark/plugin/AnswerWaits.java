package dev.shelfmark.plugin;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * Lets a remote reader whose question can't be answered wait for the answer to become possible before it throws. A consumer that gets an error
 * fetches again at once, so an error at once would be a flood of fetches and of the broker's log lines. Whoever waits is woken when answers are
 * possible again.
 *
 * <p>Remote readers are few (10 by default), and questions that can be answered need them, too. As long as no read waits for a reader ({@link
 * ReaderQueue}), each reader waits for up to 400 ms; when reads wait, for 100 ms at most, as long as Kafka's own manager makes them wait; when so many
 * wait that the last would be given up before its turn, for less. Other threads don't wait at all; see {@link BrokerThread}.
 */
public final class AnswerWaits {

    /** Below the 500 ms ({@code remote.fetch.max.wait.ms}) after which a fetch is answered without data anyway. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** When the broker does not say how many reads wait, all but a few readers are soon free again. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final int PATIENT = 4;

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long longNanos;
    private final long shortNanos;
    private final IntSupplier queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long wakeUps;

    public AnswerWaits() {
        this(LONG_NANOS, SHORT_NANOS, new ReaderQueue());
    }

    /** @param queue how many reads wait for a reader, or {@link ReaderQueue#UNKNOWN} */
    AnswerWaits(long longNanos, long shortNanos, IntSupplier queue) {
        this.longNanos = longNanos;
        this.shortNanos = shortNanos;
        this.queue = queue;
    }

    /** A question to the plugin. */
    public interface Question<T> {
        T ask() throws RemoteStorageException;
    }

    /** How often answers became possible; to be read before a question is asked. */
    public long wakeUps() {
        return wakeUps;
    }

    /** Questions may be answered from now on: wakes all who wait. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public void wake() {
        lock.lock();
        try {
            wakeUps++;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks again each time that answers become possible, for a bounded time.
     *
     * @param failure what the question failed with
     * @param wakeUpsBefore {@link #wakeUps()} before it was asked
     * @throws ReplicaNotAvailableException the last failure, when it is still not answered
     */
    public <T> T askAgain(ReplicaNotAvailableException failure, long wakeUpsBefore, Question<T> question)
            throws RemoteStorageException {
        if (BrokerThread.current() != BrokerThread.REMOTE_READER) {
            throw failure;
        }
        ReplicaNotAvailableException last = failure;
        long seen = wakeUpsBefore;
        long begun = System.nanoTime();
        boolean patient = waiting.incrementAndGet() <= PATIENT;
        try {
            while (awaitWakeUp(seen, begun, patient)) {
                seen = wakeUps;
                try {
                    return question.ask();
                } catch (ReplicaNotAvailableException e) {
                    last = e;
                }
            }
            throw last;
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Whether there was one; false when the time is over or the thread was interrupted. */
    private boolean awaitWakeUp(long seen, long begun, boolean patient) {
        lock.lock();
        try {
            long left = left(begun, patient);
            while (wakeUps == seen && left > 0) {
                long unused = woken.awaitNanos(Math.min(left, LOOK_AGAIN_NANOS));
                left = left(begun, patient);
            }
            return left > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private long left(long begun, boolean patient) {
        return limit(queue.getAsInt(), waiting.get(), patient) - (System.nanoTime() - begun);
    }

    /** How long a reader may wait while so many reads wait for one, and so many readers wait. */
    private long limit(int queued, int readers, boolean patient) {
        if (queued < 0) {
            return patient ? longNanos : shortNanos;
        }
        return queued == 0 ? longNanos : Math.min(longNanos / 4, longNanos * readers / queued);
    }
}
