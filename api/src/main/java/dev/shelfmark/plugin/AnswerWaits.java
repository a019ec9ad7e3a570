package dev.shelfmark.plugin;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * Lets a remote reader whose question can't be answered wait for the answer to become possible before it throws. A consumer that gets an error
 * fetches again at once, so an error at once would be a flood of fetches and of the broker's log lines. Whoever waits is woken when answers are
 * possible again.
 *
 * <p>Remote readers are few (10 by default), and questions that can be answered need them, too: only {@value #PATIENT} wait for long, all others for
 * about as long as Kafka's own manager waits (100 ms), so that a thread is free again soon. Other threads don't wait at all; see {@link BrokerThread}.
 */
public final class AnswerWaits {

    /** Below the 500 ms ({@code remote.fetch.max.wait.ms}) after which a fetch is answered without data anyway. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final int PATIENT = 4;

    private final long longNanos;
    private final long shortNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long wakeUps;

    public AnswerWaits() {
        this(LONG_NANOS, SHORT_NANOS);
    }

    AnswerWaits(long longNanos, long shortNanos) {
        this.longNanos = longNanos;
        this.shortNanos = shortNanos;
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
        long left = waiting.incrementAndGet() <= PATIENT ? longNanos : shortNanos;
        long deadline = System.nanoTime() + left;
        try {
            while (awaitWakeUp(seen, deadline)) {
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
    private boolean awaitWakeUp(long seen, long deadline) {
        lock.lock();
        try {
            while (wakeUps == seen) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                long unused = woken.awaitNanos(left);
            }
            return deadline - System.nanoTime() > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
