package dev.shelfmark.migration.brokers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * How to reach a Kafka cluster.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param clientProperties what Kafka's own tools take as {@code --command-config}: security and limits
 */
public record KafkaConnection(String bootstrapServers, Properties clientProperties) {

    /**
     * A broker that takes connections and never answers, as one that is suspended does, is given up only after twice this time: so that
     * another one is asked well within the call.
     */
    private static final int REQUEST_TIMEOUT_MS = 5_000;

    private static final int CALL_TIMEOUT_MS = 30_000;

    /** The client's settings: bounded waits unless the operator set others. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
        settings.put("default.api.timeout.ms", CALL_TIMEOUT_MS);
        clientProperties.stringPropertyNames().forEach(key -> settings.put(key, clientProperties.getProperty(key)));
        settings.put("bootstrap.servers", bootstrapServers);
        settings.putIfAbsent("client.id", "shelfmark-command");
        // The command's log is for errors; usage statistics of the client are nobody's business.
        settings.put("enable.metrics.push", false);
        return settings;
    }

    /** The address only: the properties hold secrets. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
