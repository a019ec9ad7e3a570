package dev.shelfmark.kafkasuite;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/** The reference store. */
final class MemoryStore implements SuiteStore {

    private final InMemoryCatalogueStore.Database database = new InMemoryCatalogueStore.Database(Clock.systemUTC());

    @Override
    public Map<String, ?> register(String clusterId) {
        database.putCluster(new ClusterRecord(
                clusterId, ClusterState.READY, 1, Instant.now(), "kafka-unit-suite", "a new cluster"));
        return MemoryStoreProvider.settings(database);
    }

    @Override
    public void close() {}
}
