package dev.shelfmark.tool.migrate.exporting;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.tool.kafka.EventDecoder;
import dev.shelfmark.tool.kafka.MetadataRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.KafkaCaches;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogSegmentMetadataSnapshot;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;

/** What Kafka's cache makes of one metadata partition, and where in it each segment was first named. */
final class TopicReplay {

    private final String clusterId;
    private final EventDecoder decoder = new EventDecoder();
    private final KafkaCaches caches = new KafkaCaches();
    private final Map<Uuid, Long> firstNamed = new HashMap<>();

    TopicReplay(String clusterId) {
        this.clusterId = clusterId;
    }

    void read(List<MetadataRecord> records) {
        for (MetadataRecord record : records) {
            RemoteLogMetadata event = decoder.read(record).orElse(null);
            if (event != null && !(event instanceof RemoteLogSegmentMetadataSnapshot)) {
                caches.handle(event);
                if (event instanceof RemoteLogSegmentMetadata added) {
                    firstNamed.putIfAbsent(added.remoteLogSegmentId().id(), record.offset());
                }
            }
        }
    }

    KafkaCaches caches() {
        return caches;
    }

    /** The offset of the first record that added a segment. */
    Optional<Long> firstNamed(UUID segmentId) {
        return Optional.ofNullable(firstNamed.get(KafkaMapping.uuid(segmentId)));
    }

    /** Every partition that the topic has events of, as it calls them. */
    Map<PartitionKey, TopicIdPartition> partitions() {
        Map<PartitionKey, TopicIdPartition> partitions = new HashMap<>();
        caches.partitions().forEach(partition -> partitions.put(KafkaMapping.key(clusterId, partition), partition));
        return partitions;
    }
}
