package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/** What was measured, round after round, by name: {@code kafka.start.first}, {@code shelfmark.start.first}. */
final class Samples {

    private final Map<String, List<Double>> values = new TreeMap<>();

    /** Adds a round's results below a prefix. */
    void add(String prefix, Map<String, Double> results) {
        results.forEach((name, value) -> add(prefix + "." + name, value));
    }

    void add(String name, double value) {
        values.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
    }

    /** Adds what follows from each round's value of another name. */
    void derive(String name, String from, DoubleUnaryOperator formula) {
        of(from).forEach(value -> add(name, formula.applyAsDouble(value)));
    }

    /** The values of a name; none when it was not measured. */
    List<Double> of(String name) {
        return values.getOrDefault(name, List.of());
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    double median(String name) {
        return median(of(name));
    }

    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
