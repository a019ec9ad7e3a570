package dev.shelfmark.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a probe measured, by name. */
final class Results {

    private final Map<String, Double> values = new LinkedHashMap<>();

    void put(String name, double value) {
        values.put(name, value);
    }

    void put(String name, long value) {
        put(name, (double) value);
    }

    /** The median and the 99th percentile, in microseconds. */
    void latencies(String name, Latencies latencies) {
        put(name + ".p50", latencies.quantileNanos(0.5) / 1e3);
        put(name + ".p99", latencies.quantileNanos(0.99) / 1e3);
    }

    /** Milliseconds since a moment of {@link System#nanoTime()}. */
    void millisSince(String name, long nanos) {
        put(name, (System.nanoTime() - nanos) / 1e6);
    }

    Settings settings() {
        return new Settings(values.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> String.format(Locale.ROOT, "%.4f", entry.getValue()))));
    }
}
