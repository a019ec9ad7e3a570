package dev.shelfmark.compat;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.compat.model.ModelSubject;
import java.util.Map;

/** Two brokers' plugins on one catalogue. */
final class PluginPair implements ModelSubject, AutoCloseable {

    private final StoreHarness harness;
    private final String clusterId;
    private final Map<String, ?> settings;
    private final CatalogueRemoteLogMetadataManager[] brokers;

    PluginPair(StoreHarness harness, String clusterId, Map<String, ?> settings) {
        this.harness = harness;
        this.clusterId = clusterId;
        this.settings = Map.copyOf(settings);
        this.brokers = new CatalogueRemoteLogMetadataManager[] {start(0), start(1)};
    }

    private CatalogueRemoteLogMetadataManager start(int number) {
        return PluginBroker.startReady(PluginBroker.settings(harness::open, clusterId, number, settings));
    }

    @Override
    public synchronized CatalogueRemoteLogMetadataManager broker(int number) {
        return brokers[number];
    }

    @Override
    public synchronized void restart(int number) {
        brokers[number].close();
        brokers[number] = start(number);
    }

    @Override
    public void close() {
        for (CatalogueRemoteLogMetadataManager broker : brokers) {
            broker.close();
        }
    }
}
