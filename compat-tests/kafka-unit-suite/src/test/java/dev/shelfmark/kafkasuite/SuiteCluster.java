package dev.shelfmark.kafkasuite;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.InMemoryCatalogueStore;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka cluster of which the catalogue holds nothing yet, ready to be used.
 *
 * @param settings what a plugin of one of its brokers is configured with
 */
public record SuiteCluster(Map<String, Object> settings) {

    public SuiteCluster {
        settings = Map.copyOf(settings);
    }

    /** One that no test has seen before, in the store that the build has chosen for this run. */
    public static SuiteCluster registerNew() {
        String store = System.getProperty("shelfmark.suite.store", "memory");
        String clusterId = Uuid.randomUuid().toString();
        ClusterRecord ready =
                new ClusterRecord(clusterId, ClusterState.READY, 1, Instant.now(), "kafka-unit-suite", "new");
        return new SuiteCluster(with(
                clusterId,
                switch (store) {
                    case "memory" -> inMemory(ready);
                    default ->
                        throw new IllegalStateException("shelfmark.suite.store is " + store + ", not memory or jdbc");
                }));
    }

    private static Map<String, Object> inMemory(ClusterRecord ready) {
        InMemoryCatalogueStore.Database database = new InMemoryCatalogueStore.Database(Clock.systemUTC());
        database.putCluster(ready);
        return MemoryStoreProvider.settings(database);
    }

    private static Map<String, Object> with(String clusterId, Map<String, Object> store) {
        Map<String, Object> settings = new HashMap<>(store);
        settings.put("cluster.id", clusterId);
        return settings;
    }
}
