package dev.shelfmark.compat.broker;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;

/** A catalogue through the store's interface, without any broker. */
record CatalogueAccess(StoreProvider provider, StoreContext context) {

    private static final Retention A_DAY = new Retention(Duration.ofDays(1), Duration.ofDays(1));

    /**
     * The catalogue that settings lead to.
     *
     * @param settings the plugin's or the {@code shelfmark} command's
     */
    static CatalogueAccess with(Map<String, String> settings) {
        String store = settings.get("store");
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(store))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the store '" + store + "' is not on the class path"));
        return new CatalogueAccess(
                provider,
                new StoreContext(provider.configDef().parse(settings), A_DAY, "shelfmark-compat", StoreListener.NONE));
    }

    void migrate() {
        try (StoreAdministration administration = provider.administration(context)) {
            administration.migrate();
        }
    }

    void register(String clusterId) {
        try (StoreAdministration administration = provider.administration(context)) {
            boolean registered = administration.putCluster(
                    new ClusterRecord(clusterId, ClusterState.READY, 1, Instant.now(), "test", "a new cluster"));
            if (!registered) {
                throw new IllegalStateException("cluster " + clusterId + " is registered already");
            }
        }
    }

    void write(String clusterId, TopicIdPartition partition, List<MetadataEvent> events) {
        try (CatalogueStore store = provider.open(context)) {
            new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run)
                    .write(
                            KafkaMapping.key(clusterId, partition),
                            partition.topic(),
                            events,
                            Deadline.in(Duration.ofSeconds(30)));
        }
    }

    List<SegmentRecord> records(String clusterId, Uuid topicId, int partition) {
        UUID id = new UUID(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits());
        Map<UUID, SegmentRecord> records = new LinkedHashMap<>();
        try (CatalogueStore store = provider.open(context)) {
            store.read(
                    new PartitionKey(clusterId, id, partition),
                    new Selection.ChangedSince(0),
                    record -> records.put(record.segmentId(), record));
        }
        return List.copyOf(records.values());
    }
}
