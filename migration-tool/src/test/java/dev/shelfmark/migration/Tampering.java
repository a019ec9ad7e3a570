package dev.shelfmark.migration;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.Deadline;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.plugin.KafkaMapping;
import dev.shelfmark.store.InMemoryCatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** Writes to a catalogue as a broker does. */
final class Tampering {

    private Tampering() {}

    /** Adds a finished segment that the topic does not know. */
    static void withSegment(InMemoryCatalogueStore.Database database, String clusterId, TopicIdPartition partition) {
        RemoteLogSegmentId id = new RemoteLogSegmentId(partition, Uuid.randomUuid());
        RemoteLogSegmentMetadata added =
                new RemoteLogSegmentMetadata(id, 1_000_000, 1_000_099, 5, 1, 6, 7, Map.of(0, 1_000_000L));
        RemoteLogSegmentMetadataUpdate finished = new RemoteLogSegmentMetadataUpdate(
                id, 8, Optional.empty(), RemoteLogSegmentState.COPY_SEGMENT_FINISHED, 1);
        try (InMemoryCatalogueStore store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE)) {
            new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run)
                    .write(
                            KafkaMapping.key(clusterId, partition),
                            partition.topic(),
                            List.of(KafkaMapping.event(added), KafkaMapping.event(finished)),
                            Deadline.in(Duration.ofSeconds(10)));
        }
    }
}
