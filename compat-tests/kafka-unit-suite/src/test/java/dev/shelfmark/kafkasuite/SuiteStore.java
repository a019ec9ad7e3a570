package dev.shelfmark.kafkasuite;

import java.util.Map;

/** The store that the build has chosen for this run. */
sealed interface SuiteStore extends AutoCloseable permits MemoryStore, PostgresStore {

    /** What the build sets: {@code memory} or {@code jdbc}. */
    String PROPERTY = "shelfmark.suite.store";

    /** Starts it. */
    static SuiteStore start() {
        String name = System.getProperty(PROPERTY, "");
        return switch (name) {
            case "memory" -> new MemoryStore();
            case "jdbc" -> new PostgresStore();
            default -> throw new IllegalStateException("-D" + PROPERTY + " is '" + name + "', not memory or jdbc");
        };
    }

    /** Registers a new cluster as ready; returns the settings of its brokers. */
    Map<String, ?> register(String clusterId);

    @Override
    void close();
}
