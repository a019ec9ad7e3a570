package dev.shelfmark.dynamodb.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The SDK's timers. It ends a call whose time is over by interrupting the thread that makes it, and afterwards takes the interrupt
 * back: also that of somebody else who had interrupted the thread while it waited for an answer, which a wait on a socket does not
 * notice. So the thread is looked at before it is interrupted.
 */
final class CallTimers extends ScheduledThreadPoolExecutor {

    /** As many as the SDK's own has; ending a call may take a moment. */
    private static final int THREADS = 5;

    private final Set<Thread> interrupted = ConcurrentHashMap.newKeySet();

    CallTimers() {
        super(THREADS, task -> {
            Thread thread = new Thread(task, "shelfmark-dynamodb-timer");
            thread.setDaemon(true);
            return thread;
        });
        setRemoveOnCancelPolicy(true);
    }

    /** The SDK calls it on the thread that makes the call. */
    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Thread caller = Thread.currentThread();
        return super.schedule(
                () -> {
                    if (caller.isInterrupted()) {
                        interrupted.add(caller);
                    }
                    task.run();
                },
                delay,
                unit);
    }

    /** Makes a call on this thread; an interrupt that came meanwhile is still there afterwards. */
    <T> T keepingInterrupts(Supplier<T> call) {
        Thread caller = Thread.currentThread();
        interrupted.remove(caller);
        try {
            return call.get();
        } finally {
            if (interrupted.remove(caller)) {
                caller.interrupt();
            }
        }
    }
}
