package dev.shelfmark.plugin.metrics;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.store.StoreListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator can watch: as JMX beans {@code dev.shelfmark:type=catalogue,broker=…}, always, and through the broker's own
 * metrics when it offers them. Each metric is a number that is read when it is asked for.
 */
public final class RlmmMetrics implements StoreListener, CatalogueListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RlmmMetrics.class);
    private static final String GROUP = "catalogue";

    private final Map<String, LatencyHistogram> calls = new ConcurrentHashMap<>();
    private final Map<String, LatencyHistogram> others = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<String, DoubleAdder> units = new ConcurrentHashMap<>();
    private final List<Published> published = new ArrayList<>();
    private final List<BiConsumer<Metric, Gauge<?>>> publishers = new ArrayList<>();

    private @Nullable Metrics jmx;
    private boolean closed;

    /** Kept at hand: counted with every lookup. */
    private volatile @Nullable LongAdder memoryAnswers;

    private volatile @Nullable LatencyHistogram lookups;

    /** Publishes every metric as an attribute of a JMX bean, under the broker's id: a JVM may run several. */
    public synchronized void publishAsJmx(int brokerId) {
        if (closed) {
            return;
        }
        Metrics beans = new Metrics(
                new MetricConfig(), List.of(new JmxReporter()), Time.SYSTEM, new KafkaMetricsContext("dev.shelfmark"));
        jmx = beans;
        publishTo((metric, gauge) -> {
            Map<String, String> tags = new LinkedHashMap<>(Map.of("broker", Integer.toString(brokerId)));
            tags.putAll(metric.tags());
            beans.addMetric(new MetricName(metric.name(), GROUP, metric.description(), tags), null, gauge);
        });
    }

    /**
     * A metric.
     *
     * @param name its name
     * @param description for people
     * @param tags in order
     */
    public record Metric(String name, String description, LinkedHashMap<String, String> tags) {}

    private record Published(Metric metric, Gauge<?> gauge) {}

    /** Publishes every metric, those there are and those to come, to somebody else too. */
    public synchronized void publishTo(BiConsumer<Metric, Gauge<?>> publisher) {
        publishers.add(publisher);
        published.forEach(each -> tell(publisher, each));
    }

    /** Metrics come into being in the middle of reads and writes, which must not fail because nobody takes a metric. */
    private void tell(BiConsumer<Metric, Gauge<?>> publisher, Published each) {
        if (closed) {
            // Nobody would take it back any more.
            return;
        }
        try {
            publisher.accept(each.metric(), each.gauge());
        } catch (RuntimeException | Error e) {
            LOG.warn("The metric {} can't be published", each.metric().name(), e);
        }
    }

    /** Publishes a number. */
    public void gauge(String name, String description, Supplier<? extends Number> value) {
        publish(name, description, Map.of(), value);
    }

    private synchronized void publish(
            String name, String description, Map<String, String> tags, Supplier<? extends Number> value) {
        // Sorted: a bean's name must not depend on a map's whim.
        LinkedHashMap<String, String> ordered = new LinkedHashMap<>(new TreeMap<>(tags));
        Published each =
                new Published(new Metric(name, description, ordered), (Gauge<Number>) (config, nowMs) -> value.get());
        published.add(each);
        publishers.forEach(publisher -> tell(publisher, each));
    }

    /** The latencies of one of Kafka's calls. */
    public LatencyHistogram call(String name) {
        LatencyHistogram known = calls.get(name);
        return known != null ? known : latency(calls, "call", name, Map.of("operation", name));
    }

    /** A lookup that was answered from memory: each is counted, some are timed, since to ask for the time takes as long as the answer. */
    public void lookedUpInMemory(long began) {
        LatencyHistogram latencies = lookups;
        if (latencies == null) {
            latencies = call("lookup");
            lookups = latencies;
        }
        latencies.recordSometimes(began);
        answeredFromMemory();
    }

    /** Counts a call that failed. */
    public void failed(String call) {
        count("call-failures-total", "calls of the broker that failed", Map.of("operation", call), 1);
    }

    private LatencyHistogram latency(String what, String operation) {
        return latency(others, what, what + operation, Map.of("operation", operation));
    }

    private LatencyHistogram latency(
            Map<String, LatencyHistogram> latencies, String what, String key, Map<String, String> tags) {
        LatencyHistogram known = latencies.get(key);
        return known != null
                ? known
                : latencies.computeIfAbsent(key, unused -> {
                    LatencyHistogram histogram = new LatencyHistogram();
                    publish(what + "s-total", what + "s since the start", tags, histogram::count);
                    publish(
                            what + "-latency-p50-ms",
                            "median time of the last minutes",
                            tags,
                            () -> histogram.quantileMs(0.5));
                    publish(
                            what + "-latency-p99-ms",
                            "99th percentile of the last minutes",
                            tags,
                            () -> histogram.quantileMs(0.99));
                    publish(
                            what + "-latency-max-ms",
                            "longest time of the last minutes",
                            tags,
                            () -> histogram.quantileMs(1.0));
                    return histogram;
                });
    }

    /** Counts something that happened once. */
    public void happened(String name, String description) {
        count(name, description, Map.of(), 1);
    }

    private void count(String name, String description, Map<String, String> tags, long by) {
        counter(name, description, tags).add(by);
    }

    private LongAdder counter(String name, String description, Map<String, String> tags) {
        return counters.computeIfAbsent(name + tags, unused -> {
            LongAdder counter = new LongAdder();
            publish(name, description, tags, counter::sum);
            return counter;
        });
    }

    @Override
    public void requested(String operation, long rows, long nanos) {
        latency("store-request", operation).record(nanos);
        count("store-rows-total", "rows or items read or written", Map.of("operation", operation), rows);
    }

    @Override
    public void consumed(String operation, double readUnits, double writeUnits) {
        bill("store-read-units-total", "read units billed", operation, readUnits);
        bill("store-write-units-total", "write units billed", operation, writeUnits);
    }

    private void bill(String name, String description, String operation, double by) {
        if (by > 0) {
            units.computeIfAbsent(name + operation, unused -> {
                        DoubleAdder adder = new DoubleAdder();
                        publish(name, description, Map.of("operation", operation), adder::sum);
                        return adder;
                    })
                    .add(by);
        }
    }

    @Override
    public void retried(String operation, String reason) {
        count("store-retries-total", "requests tried again", Map.of("operation", operation, "reason", reason), 1);
    }

    @Override
    public void loaded(long segments, long nanos) {
        latency(others, "partition-load", "partition-load", Map.of()).record(nanos);
        count("loaded-segments-total", "segments read into memory", Map.of(), segments);
    }

    @Override
    public void answeredFromMemory() {
        LongAdder answers = memoryAnswers;
        if (answers == null) {
            answers = counter("memory-answers-total", "answers without asking the store", Map.of());
            memoryAnswers = answers;
        }
        answers.increment();
    }

    @Override
    public void answeredDuringOutage() {
        count("outage-answers-total", "answers from memory because the store could not be asked", Map.of(), 1);
    }

    @Override
    public void conflicted() {
        count("commit-conflicts-total", "commits decided again because another writer was first", Map.of(), 1);
    }

    @Override
    public void outcomeUnknown() {
        count("commit-outcomes-unknown-total", "commits whose answer was lost, found out by reading", Map.of(), 1);
    }

    /** Counts a report of the broker that changed nothing. */
    public void unapplied(String kind) {
        count("unapplied-events-total", "reports that changed nothing, refused or ignored", Map.of("kind", kind), 1);
    }

    @Override
    public synchronized void close() {
        closed = true;
        Metrics beans = jmx;
        if (beans != null) {
            beans.close();
        }
    }
}
