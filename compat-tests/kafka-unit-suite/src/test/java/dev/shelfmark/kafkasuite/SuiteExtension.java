package dev.shelfmark.kafkasuite;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What goes on around Kafka's tests: the run's store is closed after the last one, and the run fails when Kafka's own manager comes first on
 * the class path: the tests would pass, and have tested Kafka. JUnit finds it as a service, as it finds what Kafka's tests themselves need.
 */
public final class SuiteExtension implements BeforeAllCallback {

    /** For {@link java.util.ServiceLoader}. */
    public SuiteExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Class<?> tested = TopicBasedRemoteLogMetadataManager.class;
        if (!CatalogueRemoteLogMetadataManager.class.isAssignableFrom(tested)) {
            throw new IllegalStateException("not the plugin is tested, but " + tested + " from "
                    + tested.getProtectionDomain().getCodeSource());
        }
        // Kept at the root, JUnit closes it at the end of the run.
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(SuiteStore.class, unused -> SuiteCluster.store(), SuiteStore.class);
    }
}
