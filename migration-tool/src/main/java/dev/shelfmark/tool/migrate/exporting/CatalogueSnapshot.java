package dev.shelfmark.tool.migrate.exporting;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What an export must know of the catalogue and the cluster before it begins. */
public final class CatalogueSnapshot {

    private CatalogueSnapshot() {}

    /**
     * Asks for it.
     *
     * @param forgetUnknown as {@link CatalogueExport.Known} has it
     */
    public static CatalogueExport.Known of(
            CatalogueListing listing,
            StoreAdministration administration,
            Brokers cluster,
            String clusterId,
            boolean forgetUnknown) {
        Map<UUID, String> names = new HashMap<>();
        cluster.topics().forEach((id, topic) -> names.put(KafkaMapping.uuid(id), topic.name()));
        return new CatalogueExport.Known(
                () -> partitions(listing, clusterId), names, imported(administration, clusterId), forgetUnknown);
    }

    private static List<PartitionKey> partitions(CatalogueListing listing, String clusterId) {
        List<PartitionKey> keys = new ArrayList<>();
        String next = null;
        do {
            Page<PartitionSummary> page = listing.partitions(clusterId, next, CatalogueListing.MAX_PAGE);
            for (Listed<PartitionSummary> listed : page.items()) {
                if (listed instanceof Found<PartitionSummary> found) {
                    keys.add(found.value().key());
                } else if (listed instanceof Unreadable<PartitionSummary> unreadable) {
                    throw ToolFailure.store(
                            "partition " + unreadable.id() + " of the catalogue can't be read: " + unreadable.reason()
                                    + ". Nothing was exported",
                            null);
                }
            }
            next = page.next();
        } while (next != null);
        return keys;
    }

    private static Map<Integer, Checkpoint> imported(StoreAdministration administration, String clusterId) {
        return administration instanceof BulkLoading loading ? loading.checkpoints(clusterId) : Map.of();
    }
}
