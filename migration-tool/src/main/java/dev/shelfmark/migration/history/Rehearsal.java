package dev.shelfmark.migration.history;

import dev.shelfmark.migration.brokers.MetadataRecord;
import dev.shelfmark.migration.brokers.MetadataTopic;
import dev.shelfmark.store.BulkLoader;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.InMemoryCatalogueStore;
import dev.shelfmark.store.LoadClaim;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An empty catalogue in memory that nobody else sees, open for an import. It grows with the segments that are live. */
public final class Rehearsal implements AutoCloseable {

    private final CatalogueStore store;
    private final BulkLoader loader;
    private final WindowLoader windows;
    private final EventDecoder decoder = new EventDecoder();

    public Rehearsal(String clusterId, MetadataTopic topic) {
        InMemoryCatalogueStore.Database database = new InMemoryCatalogueStore.Database(Clock.systemUTC());
        database.putCluster(new ClusterRecord(clusterId, ClusterState.IMPORTING, 1, Instant.EPOCH, "rehearsal", ""));
        this.store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE);
        // Nobody else can claim it, however long it takes.
        LoadClaim.Granted claim = (LoadClaim.Granted) database.claimLoad(clusterId, "rehearsal", Duration.ofDays(365));
        this.loader = claim.loader();
        this.windows = new WindowLoader(
                store,
                loader,
                clusterId,
                topic.id().toString(),
                topic.partitions().size(),
                SkippedEvents.discarded());
    }

    /** Folds records of a metadata partition, in order. */
    public void load(int partition, List<MetadataRecord> records) {
        if (!records.isEmpty()) {
            long next = records.get(records.size() - 1).offset() + 1;
            windows.load(partition, decoder.decode(records), next);
        }
    }

    public CatalogueStore store() {
        return store;
    }

    public BulkLoader loader() {
        return loader;
    }

    @Override
    public void close() {
        try (store) {
            loader.close();
        }
    }
}
