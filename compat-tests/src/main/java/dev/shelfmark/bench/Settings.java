package dev.shelfmark.bench;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a probe is told, and what it answers: texts by name, in a file.
 *
 * @param values by name
 */
record Settings(Map<String, String> values) {

    Settings {
        values = Map.copyOf(values);
    }

    static Settings read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file, e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> values.put(name, properties.getProperty(name)));
        return new Settings(values);
    }

    void write(Path file) {
        Properties properties = new Properties();
        properties.putAll(values);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + file, e);
        }
    }

    /** These and others, which win. */
    Settings with(Map<String, String> others) {
        Map<String, String> all = new TreeMap<>(values);
        all.putAll(others);
        return new Settings(all);
    }

    Settings with(String name, Object value) {
        return with(Map.of(name, value.toString()));
    }

    /** All of them, of which each is a number. */
    Map<String, Double> numbers() {
        Map<String, Double> numbers = new TreeMap<>();
        values.forEach((name, value) -> numbers.put(name, Double.valueOf(value)));
        return numbers;
    }

    /** Those whose names begin with a prefix, without it. */
    Map<String, String> below(String prefix) {
        return values.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toMap(entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("nothing is said of " + name);
        }
        return value;
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }
}
