package dev.shelfmark.bench;

import dev.shelfmark.compat.broker.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/** Starts real brokers to measure how long their catalogue takes them. */
final class StartingBroker {

    private static final String STORAGE = "remote.log.storage.manager.class.name";
    private static final String SETTINGS = "rsm.config.";
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final Path directory;
    private final long heapMib;

    /**
     * Keeps them in a directory.
     *
     * @param heapMib the most that each may take, the same for both sides
     */
    StartingBroker(Path directory, long heapMib) {
        this.directory = directory;
        this.heapMib = heapMib;
    }

    /** What it took in a new broker that has no topics of its own. */
    Map<String, Double> measure(Settings settings) {
        Path place = directory.resolve("starting-" + Uuid.randomUuid());
        Path told = directory.resolve("starting.properties");
        Path answer = directory.resolve("starting.results");
        settings.write(told);
        TestCluster cluster = TestCluster.builder()
                .directory(place)
                .asInProduction(heapMib)
                .brokerConfig(STORAGE, MeasuringStorageManager.class.getName())
                .brokerConfig(SETTINGS + MeasuringStorageManager.TOLD, told.toString())
                .brokerConfig(SETTINGS + MeasuringStorageManager.ANSWER, answer.toString())
                .upWithin(LIMIT)
                .start();
        try {
            return Settings.read(answer).numbers();
        } finally {
            cluster.close();
        }
    }
}
