package dev.shelfmark.compat;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Of a database that has no schema: nothing ever needs to be migrated. */
final class InMemoryAdministration implements StoreAdministration, ProgressAcceptance {

    private final InMemoryCatalogueStore.Database database;

    InMemoryAdministration(InMemoryCatalogueStore.Database database) {
        this.database = database;
    }

    @Override
    public List<String> migrate() {
        return List.of();
    }

    @Override
    public SchemaStatus schema() {
        return new SchemaStatus(1, 1, List.of());
    }

    @Override
    public List<String> rights() {
        return List.of();
    }

    @Override
    public List<ClusterRecord> clusters() {
        return database.clusters();
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        return clusters().stream()
                .filter(cluster -> cluster.clusterId().equals(clusterId))
                .findFirst();
    }

    @Override
    public boolean putCluster(ClusterRecord next) {
        return database.putCluster(next);
    }

    @Override
    public List<BrokerHeartbeat> heartbeats(String clusterId) {
        return database.heartbeats(clusterId);
    }

    @Override
    public Optional<CatalogueProgress> progress(String clusterId) {
        return database.progress(clusterId);
    }

    @Override
    public boolean accept(String clusterId, Optional<String> current, String next, Set<String> replaces) {
        return database.accept(clusterId, current, next, replaces);
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
