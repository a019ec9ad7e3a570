package dev.shelfmark.bench;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * What Shelfmark has asked of its store, from the metrics that it publishes; all zero when there is none in this JVM.
 *
 * @param requests statements or API calls
 * @param rows rows or items read or written
 * @param loaded segments read into memory
 * @param readUnits read units billed, where the store bills by the request
 * @param writeUnits write units billed
 */
record StoreTraffic(long requests, long rows, long loaded, double readUnits, double writeUnits) {

    private static final String REQUESTS = "store-requests-total";
    private static final String ROWS = "store-rows-total";
    private static final String LOADED = "loaded-segments-total";
    private static final String READ_UNITS = "store-read-units-total";
    private static final String WRITE_UNITS = "store-write-units-total";
    /** The one that is published last. */
    private static final String LAST = "waiting-writes";

    private static final Set<String> METRICS = Set.of(REQUESTS, ROWS, LOADED, READ_UNITS, WRITE_UNITS, LAST);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Set<String> BACKGROUND = Set.of("cluster", "heartbeat", "purge", "purge.history", "verify");

    /** Returns once Shelfmark has published its metrics, which it does in the background after its start. */
    static void awaitPublished() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!sums(Set.of()).containsKey(LAST)) {
            pause(deadline, null);
        }
    }

    /** Since the start, without what goes on in the background whatever a broker does. */
    static StoreTraffic now() {
        return without(BACKGROUND);
    }

    /** Since the start, all of it. */
    static StoreTraffic withBackground() {
        return without(Set.of());
    }

    private static StoreTraffic without(Set<String> operations) {
        Map<String, Double> sums = sums(operations);
        return new StoreTraffic(
                sums.getOrDefault(REQUESTS, 0.0).longValue(),
                sums.getOrDefault(ROWS, 0.0).longValue(),
                sums.getOrDefault(LOADED, 0.0).longValue(),
                sums.getOrDefault(READ_UNITS, 0.0),
                sums.getOrDefault(WRITE_UNITS, 0.0));
    }

    StoreTraffic since(StoreTraffic before) {
        return new StoreTraffic(
                requests - before.requests,
                rows - before.rows,
                loaded - before.loaded,
                readUnits - before.readUnits,
                writeUnits - before.writeUnits);
    }

    /**
     * A bean goes away and comes back when a metric is added to it, and Kafka's can't be read in that very moment: then all are
     * read again.
     */
    private static Map<String, Double> sums(Set<String> withoutOperations) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return read(withoutOperations);
            } catch (InstanceNotFoundException | JMRuntimeException e) {
                pause(deadline, e);
            } catch (JMException e) {
                throw new IllegalStateException("the metrics can't be read", e);
            }
        }
    }

    private static void pause(long deadlineNanos, @Nullable Exception last) {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new IllegalStateException("the metrics are not there within " + LIMIT, last);
        }
        LockSupport.parkNanos(5_000_000);
    }

    private static Map<String, Double> read(Set<String> withoutOperations) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Map<String, Double> sums = new HashMap<>();
        for (ObjectName bean : server.queryNames(new ObjectName("dev.shelfmark:*"), null)) {
            String operation = bean.getKeyProperty("operation");
            if (operation == null || !withoutOperations.contains(operation)) {
                for (var attribute : server.getMBeanInfo(bean).getAttributes()) {
                    String metric = attribute.getName();
                    if (METRICS.contains(metric)) {
                        sums.merge(metric, ((Number) server.getAttribute(bean, metric)).doubleValue(), Double::sum);
                    }
                }
            }
        }
        return sums;
    }
}
