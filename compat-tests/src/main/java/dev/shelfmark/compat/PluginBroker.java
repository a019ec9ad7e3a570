package dev.shelfmark.compat;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;

/** A plugin as a broker configures it, on a store of a test. */
final class PluginBroker {

    private static final Duration READY = Duration.ofSeconds(30);

    private PluginBroker() {}

    /** What a broker hands to {@code configure}: the operator's settings without their prefix, and what it adds itself. */
    static Map<String, Object> settings(
            HarnessStoreProvider.Opener opener, String clusterId, int brokerId, Map<String, ?> more) {
        Map<String, Object> settings = new HashMap<>(HarnessStoreProvider.settings(opener));
        settings.put("cluster.id", clusterId);
        settings.put("broker.id", brokerId);
        settings.put("node.id", brokerId);
        settings.put("log.dir", "/nowhere");
        settings.put("cluster.state.poll.ms", "100");
        settings.putAll(more);
        return settings;
    }

    /** Configured, and not waited for. */
    static CatalogueRemoteLogMetadataManager start(Map<String, Object> settings) {
        CatalogueRemoteLogMetadataManager manager = new CatalogueRemoteLogMetadataManager();
        manager.configure(settings);
        return manager;
    }

    /** Configured and ready. */
    static CatalogueRemoteLogMetadataManager startReady(Map<String, Object> settings) {
        CatalogueRemoteLogMetadataManager manager = start(settings);
        awaitReady(manager);
        return manager;
    }

    static void awaitReady(CatalogueRemoteLogMetadataManager manager) {
        TopicIdPartition any = new TopicIdPartition(Uuid.ONE_UUID, 0, "any");
        Awaitility.await("the plugin is ready")
                .atMost(READY)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> manager.isReady(any));
    }
}
