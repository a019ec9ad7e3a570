package dev.shelfmark.tool.kafka;

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

    private static final String REQUEST_TIMEOUT = "request.timeout.ms";
    private static final String CALL_TIMEOUT = "default.api.timeout.ms";

    /**
     * A broker that takes connections and never answers, as one that is suspended does, is given up only after twice this time: so that
     * another one is asked well within the call.
     */
    private static final int REQUEST_TIMEOUT_MS = 5_000;

    private static final int CALL_TIMEOUT_MS = 30_000;
    private static final String LINGER = "linger.ms";
    private static final int LINGER_MS = 20;
    private static final int DELIVERY_TIMEOUT_MS = 60_000;

    /**
     * The client's settings: bounded waits unless the operator set others. Kafka takes no request that may last longer than its call, so where the
     * operator set one of the two, the other gives way.
     */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        int request = number(REQUEST_TIMEOUT, Math.min(REQUEST_TIMEOUT_MS, number(CALL_TIMEOUT, CALL_TIMEOUT_MS)));
        int call = number(CALL_TIMEOUT, Math.max(CALL_TIMEOUT_MS, request));
        settings.put(REQUEST_TIMEOUT, request);
        settings.put(CALL_TIMEOUT, call);
        clientProperties.stringPropertyNames().forEach(key -> settings.put(key, clientProperties.getProperty(key)));
        settings.put("bootstrap.servers", bootstrapServers);
        settings.putIfAbsent("client.id", "shelfmark-command");
        // The command's log is for errors; usage statistics of the client are nobody's business.
        settings.put("enable.metrics.push", false);
        return settings;
    }

    /** The same for one that writes: Kafka takes no record that may be waited for shorter than for a request. */
    Map<String, Object> settingsOfWriter(CallLimit limit) {
        Map<String, Object> settings = settings();
        int longest = number(REQUEST_TIMEOUT, REQUEST_TIMEOUT_MS) + number(LINGER, LINGER_MS);
        settings.putIfAbsent(LINGER, LINGER_MS);
        settings.putIfAbsent("delivery.timeout.ms", Math.max(DELIVERY_TIMEOUT_MS, longest));
        settings.putIfAbsent("max.block.ms", limit.millisLeft(number(CALL_TIMEOUT, CALL_TIMEOUT_MS)));
        return settings;
    }

    /** What the operator set, or else this; where that is no number, Kafka's client says so. */
    private int number(String key, int otherwise) {
        String value = clientProperties.getProperty(key, "").trim();
        return value.matches("\\d{1,9}") ? Integer.parseInt(value) : otherwise;
    }

    /** The address only: the properties hold secrets. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
