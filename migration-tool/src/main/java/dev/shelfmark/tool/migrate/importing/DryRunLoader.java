package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.tool.kafka.EventDecoder;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An empty catalogue in memory that nobody else sees, open for an import. It grows with the segments that are live. */
public final class DryRunLoader implements AutoCloseable {

    private final CatalogueStore store;
    private final BulkLoader loader;
    private final WindowLoader windows;
    private final EventDecoder decoder = new EventDecoder();

    public DryRunLoader(String clusterId, MetadataTopic topic) {
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
