package dev.shelfmark.kafka;

import dev.shelfmark.catalogue.index.SegmentColumns;
import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.DeletePartition;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;
import org.jspecify.annotations.Nullable;

/** Kafka's records and ours, field by field and back again without loss. */
public final class KafkaMapping {

    private KafkaMapping() {}

    public static PartitionKey key(String clusterId, TopicIdPartition partition) {
        return new PartitionKey(clusterId, uuid(partition.topicId()), partition.partition());
    }

    public static UUID uuid(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    public static Uuid uuid(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    public static AddSegment event(RemoteLogSegmentMetadata added) {
        return new AddSegment(record(added));
    }

    public static UpdateSegment event(RemoteLogSegmentMetadataUpdate update) {
        return new UpdateSegment(
                uuid(update.remoteLogSegmentId().id()),
                state(update.state()),
                custom(update.customMetadata()),
                update.brokerId(),
                update.eventTimestampMs());
    }

    public static DeletePartition event(RemotePartitionDeleteMetadata deletion) {
        return new DeletePartition(state(deletion.state()), deletion.brokerId(), deletion.eventTimestampMs());
    }

    /** Ours of Kafka's; it has no versions yet. */
    public static SegmentRecord record(RemoteLogSegmentMetadata segment) {
        return SegmentRecord.builder(
                        uuid(segment.remoteLogSegmentId().id()),
                        segment.startOffset(),
                        segment.endOffset(),
                        LeaderEpochs.of(segment.segmentLeaderEpochs()))
                .state(state(segment.state()))
                .maxTimestampMs(segment.maxTimestampMs())
                .sizeInBytes(segment.segmentSizeInBytes())
                .txnIndexEmpty(TxnIndexFlag.empty(segment))
                .customMetadata(custom(segment.customMetadata()))
                .brokerId(segment.brokerId())
                .eventTimestampMs(segment.eventTimestampMs())
                .build();
    }

    /** Kafka's of ours, under the partition's name as the caller knows it: a topic may have had another when it was written. */
    public static RemoteLogSegmentMetadata segment(TopicIdPartition partition, SegmentRecord segment) {
        return TxnIndexFlag.segment(
                new RemoteLogSegmentId(partition, uuid(segment.segmentId())),
                segment.startOffset(),
                segment.endOffset(),
                segment.maxTimestampMs(),
                segment.brokerId(),
                segment.eventTimestampMs(),
                segment.sizeInBytes(),
                custom(segment.customMetadata()),
                state(segment.state()),
                epochs(segment.leaderEpochs()),
                segment.txnIndexEmpty());
    }

    /** The same, straight from where it stands in memory. */
    public static RemoteLogSegmentMetadata segment(TopicIdPartition partition, SegmentColumns segments, int position) {
        LeaderEpochs epochs = segments.epochs(position);
        return TxnIndexFlag.segment(
                new RemoteLogSegmentId(partition, new Uuid(segments.idHigh(position), segments.idLow(position))),
                segments.startOffset(position),
                segments.endOffset(position),
                segments.maxTimestampMs(position),
                segments.brokerId(position),
                segments.eventTimestampMs(position),
                segments.sizeInBytes(position),
                custom(segments.customMetadata(position)),
                state(segments.state(position)),
                epochs == null ? Map.of(segments.firstEpoch(position), segments.startOffset(position)) : epochs(epochs),
                segments.txnIndexEmpty(position));
    }

    private static Map<Integer, Long> epochs(LeaderEpochs epochs) {
        // Kafka copies it into a map of its own: for the usual single epoch, spare a tree.
        return epochs.size() == 1 ? Map.of(epochs.epoch(0), epochs.startOffset(0)) : epochs.toMap();
    }

    private static @Nullable CustomMetadata custom(Optional<RemoteLogSegmentMetadata.CustomMetadata> custom) {
        return custom.map(RemoteLogSegmentMetadata.CustomMetadata::value)
                .map(CustomMetadata::of)
                .orElse(null);
    }

    private static Optional<RemoteLogSegmentMetadata.CustomMetadata> custom(@Nullable CustomMetadata custom) {
        return custom == null
                ? Optional.empty()
                : Optional.of(new RemoteLogSegmentMetadata.CustomMetadata(custom.bytes()));
    }

    public static SegmentState state(RemoteLogSegmentState state) {
        return switch (state) {
            case COPY_SEGMENT_STARTED -> SegmentState.COPY_SEGMENT_STARTED;
            case COPY_SEGMENT_FINISHED -> SegmentState.COPY_SEGMENT_FINISHED;
            case DELETE_SEGMENT_STARTED -> SegmentState.DELETE_SEGMENT_STARTED;
            case DELETE_SEGMENT_FINISHED -> SegmentState.DELETE_SEGMENT_FINISHED;
        };
    }

    public static RemoteLogSegmentState state(SegmentState state) {
        return switch (state) {
            case COPY_SEGMENT_STARTED -> RemoteLogSegmentState.COPY_SEGMENT_STARTED;
            case COPY_SEGMENT_FINISHED -> RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
            case DELETE_SEGMENT_STARTED -> RemoteLogSegmentState.DELETE_SEGMENT_STARTED;
            case DELETE_SEGMENT_FINISHED -> RemoteLogSegmentState.DELETE_SEGMENT_FINISHED;
        };
    }

    public static PartitionDeletion state(RemotePartitionDeleteState state) {
        return switch (state) {
            case DELETE_PARTITION_MARKED -> PartitionDeletion.DELETE_PARTITION_MARKED;
            case DELETE_PARTITION_STARTED -> PartitionDeletion.DELETE_PARTITION_STARTED;
            case DELETE_PARTITION_FINISHED -> PartitionDeletion.DELETE_PARTITION_FINISHED;
        };
    }
}
