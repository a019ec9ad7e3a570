package dev.shelfmark.kafkasuite;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PostgresNode;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One PostgreSQL server for all tests of the run, each of which is a Kafka cluster of its own in the same catalogue. */
public final class SharedCatalogue implements BeforeAllCallback {

    private @Nullable JdbcCatalogue catalogue;

    @Override
    public void beforeAll(ExtensionContext context) {
        // Kept at the root, JUnit closes it after the last test.
        catalogue = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(JdbcCatalogue.class, unused -> JdbcCatalogue.start(), JdbcCatalogue.class);
    }

    /** Makes a broker keep its metadata here. It does not answer until its cluster is registered. */
    public void configure(Properties broker) {
        broker.setProperty(
                RemoteLogManagerConfig.REMOTE_LOG_METADATA_MANAGER_CLASS_NAME_PROP,
                CatalogueRemoteLogMetadataManager.class.getName());
        String prefix = broker.getProperty(RemoteLogManagerConfig.REMOTE_LOG_METADATA_MANAGER_CONFIG_PREFIX_PROP);
        started()
                .brokerSettings(PostgresNode.DATABASE)
                .forEach((key, value) -> broker.setProperty(prefix + key, value));
    }

    /** Registers a cluster as ready, as an operator does. */
    public void register(String clusterId) {
        started().register(clusterId);
    }

    private JdbcCatalogue started() {
        return Objects.requireNonNull(catalogue, "JUnit has not called beforeAll");
    }
}
