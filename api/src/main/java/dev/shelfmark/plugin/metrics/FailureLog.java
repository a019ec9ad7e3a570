package dev.shelfmark.plugin.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator that reads fail, once a minute for each kind: the callers are told with an exception that they retry quietly, and there may
 * be thousands of them.
 */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Class<?>, Kind> kinds = new ConcurrentHashMap<>();

    private static final class Kind {
        private final AtomicLong lastLoggedNanos = new AtomicLong(System.nanoTime() - EVERY_NANOS);
        private final AtomicLong unlogged = new AtomicLong();
    }

    /** Logs a failure of a call, or counts it until one of its kind is logged again. */
    public void failed(String call, RuntimeException failure) {
        Kind kind = kinds.computeIfAbsent(failure.getClass(), unused -> new Kind());
        long last = kind.lastLoggedNanos.get();
        long now = System.nanoTime();
        if (now - last >= EVERY_NANOS && kind.lastLoggedNanos.compareAndSet(last, now)) {
            LOG.warn(
                    "{} can't be answered ({} more failures of this kind since the last such line): {}",
                    call,
                    kind.unlogged.getAndSet(0),
                    failure.getMessage());
        } else {
            kind.unlogged.incrementAndGet();
        }
    }
}
