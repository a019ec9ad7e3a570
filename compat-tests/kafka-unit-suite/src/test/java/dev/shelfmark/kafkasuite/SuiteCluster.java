package dev.shelfmark.kafkasuite;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka cluster of which the catalogue holds nothing yet, ready to be used.
 *
 * @param settings what the plugin of one of its brokers is configured with, beside what every broker passes
 */
public record SuiteCluster(Map<String, Object> settings) {

    public SuiteCluster {
        settings = Map.copyOf(settings);
    }

    /** One that no test has seen before. */
    public static SuiteCluster registerNew() {
        String clusterId = Uuid.randomUuid().toString();
        Map<String, Object> settings = new HashMap<>(Shared.STORE.register(clusterId));
        settings.put("cluster.id", clusterId);
        return new SuiteCluster(settings);
    }

    /** The run's store. Kafka's tests make their manager themselves, so that there is no other way to hand it over. */
    static SuiteStore store() {
        return Shared.STORE;
    }

    private static final class Shared {
        private static final SuiteStore STORE = SuiteStore.start();
    }
}
