package dev.shelfmark.tool;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;

/** Writes to a catalogue as a broker does. */
public final class Tampering {

    private Tampering() {}

    /** Adds a finished segment that the topic does not know. */
    public static void withSegment(
            InMemoryCatalogueStore.Database database, String clusterId, TopicIdPartition partition) {
        write(database, clusterId, partition, finished(new RemoteLogSegmentId(partition, Uuid.randomUuid())));
    }

    /** The same, deleted since: what is left are the highest offsets. */
    public static void withDeletedSegment(
            InMemoryCatalogueStore.Database database, String clusterId, TopicIdPartition partition) {
        RemoteLogSegmentId id = new RemoteLogSegmentId(partition, Uuid.randomUuid());
        List<MetadataEvent> events = new ArrayList<>(finished(id));
        events.add(update(id, RemoteLogSegmentState.DELETE_SEGMENT_STARTED));
        events.add(update(id, RemoteLogSegmentState.DELETE_SEGMENT_FINISHED));
        write(database, clusterId, partition, events);
    }

    /** Deletes the whole partition. */
    public static void deleted(InMemoryCatalogueStore.Database database, String clusterId, TopicIdPartition partition) {
        List<MetadataEvent> events = new ArrayList<>();
        for (RemotePartitionDeleteState state : RemotePartitionDeleteState.values()) {
            events.add(KafkaMapping.event(new RemotePartitionDeleteMetadata(partition, state, 9, 1)));
        }
        write(database, clusterId, partition, events);
    }

    private static List<MetadataEvent> finished(RemoteLogSegmentId id) {
        RemoteLogSegmentMetadata added =
                new RemoteLogSegmentMetadata(id, 1_000_000, 1_000_099, 5, 1, 6, 7, Map.of(0, 1_000_000L));
        return List.of(KafkaMapping.event(added), update(id, RemoteLogSegmentState.COPY_SEGMENT_FINISHED));
    }

    private static MetadataEvent update(RemoteLogSegmentId id, RemoteLogSegmentState state) {
        return KafkaMapping.event(new RemoteLogSegmentMetadataUpdate(id, 8, Optional.empty(), state, 1));
    }

    private static void write(
            InMemoryCatalogueStore.Database database,
            String clusterId,
            TopicIdPartition partition,
            List<MetadataEvent> events) {
        try (InMemoryCatalogueStore store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE)) {
            new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run)
                    .write(
                            KafkaMapping.key(clusterId, partition),
                            partition.topic(),
                            events,
                            Deadline.in(Duration.ofSeconds(10)));
        }
    }
}
