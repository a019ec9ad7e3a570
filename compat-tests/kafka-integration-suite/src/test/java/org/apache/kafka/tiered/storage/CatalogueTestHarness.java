package org.apache.kafka.tiered.storage;

import dev.shelfmark.kafkasuite.SharedCatalogue;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.replica.ReplicaSelector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One of Kafka's tests, which says what is done and expected, on brokers that keep their metadata in the catalogue. */
abstract class CatalogueTestHarness extends TieredStorageTestHarness {

    @RegisterExtension
    static final SharedCatalogue CATALOGUE = new SharedCatalogue();

    private final TieredStorageTestHarness test;

    CatalogueTestHarness(TieredStorageTestHarness test) {
        this.test = test;
    }

    @Override
    public final Properties overridingProps() {
        Properties properties = super.overridingProps();
        // Those that the test adds of itself; the others it has made for a directory and a prefix that are not ours.
        test.overridingProps().forEach((key, value) -> {
            if (!key.toString().startsWith("rsm.config.") && !key.toString().startsWith("rlmm.config.")) {
                properties.putIfAbsent(key, value);
            }
        });
        CATALOGUE.configure(properties);
        return properties;
    }

    /** Registers the cluster once it is there; until then its brokers run with a catalogue that does not know them. */
    @BeforeEach
    @Override
    public void setUp(TestInfo testInfo) {
        super.setUp(testInfo);
        CATALOGUE.register(brokers().head().clusterId());
    }

    @Override
    public final int brokerCount() {
        return test.brokerCount();
    }

    @Override
    protected final int numRemoteLogMetadataPartitions() {
        return test.numRemoteLogMetadataPartitions();
    }

    @Override
    protected final Optional<Class<ReplicaSelector>> readReplicaSelectorClass() {
        return test.readReplicaSelectorClass();
    }

    @Override
    protected final void writeTestSpecifications(TieredStorageTestBuilder builder) {
        test.writeTestSpecifications(builder);
    }

    @Override
    protected final void overrideConsumerConfig(Properties consumerConfig) {
        test.overrideConsumerConfig(consumerConfig);
    }
}
