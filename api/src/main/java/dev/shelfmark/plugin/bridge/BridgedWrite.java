package dev.shelfmark.plugin.bridge;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.plugin.MetadataService;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** What a broker reports, which can be written either way, and both: each is safe to repeat. */
sealed interface BridgedWrite {

    TopicIdPartition partition();

    CompletableFuture<Void> toTopic(RemoteLogMetadataManager topic) throws RemoteStorageException;

    CompletableFuture<Void> toCatalogue(MetadataService catalogue);

    /** A segment whose upload begins. */
    record Added(RemoteLogSegmentMetadata segment) implements BridgedWrite {
        public Added {
            // Refuses what neither way would take, while the caller can still be told by an exception.
            KafkaMapping.event(segment);
        }

        @Override
        public TopicIdPartition partition() {
            return segment.remoteLogSegmentId().topicIdPartition();
        }

        @Override
        public CompletableFuture<Void> toTopic(RemoteLogMetadataManager topic) throws RemoteStorageException {
            return topic.addRemoteLogSegmentMetadata(segment);
        }

        @Override
        public CompletableFuture<Void> toCatalogue(MetadataService catalogue) {
            return catalogue.add(segment);
        }

        @Override
        public String toString() {
            return "COPY_SEGMENT_STARTED of segment "
                    + segment.remoteLogSegmentId().id() + " of " + partition();
        }
    }

    /** A segment that reaches another state. */
    record Updated(RemoteLogSegmentMetadataUpdate update) implements BridgedWrite {
        public Updated {
            KafkaMapping.event(update);
        }

        @Override
        public TopicIdPartition partition() {
            return update.remoteLogSegmentId().topicIdPartition();
        }

        @Override
        public CompletableFuture<Void> toTopic(RemoteLogMetadataManager topic) throws RemoteStorageException {
            return topic.updateRemoteLogSegmentMetadata(update);
        }

        @Override
        public CompletableFuture<Void> toCatalogue(MetadataService catalogue) {
            return catalogue.update(update);
        }

        @Override
        public String toString() {
            return update.state() + " of segment " + update.remoteLogSegmentId().id() + " of " + partition();
        }
    }

    /** The deletion of a whole partition that moves on. */
    record Deleted(RemotePartitionDeleteMetadata deletion) implements BridgedWrite {
        public Deleted {
            KafkaMapping.event(deletion);
        }

        @Override
        public TopicIdPartition partition() {
            return deletion.topicIdPartition();
        }

        @Override
        public CompletableFuture<Void> toTopic(RemoteLogMetadataManager topic) throws RemoteStorageException {
            return topic.putRemotePartitionDeleteMetadata(deletion);
        }

        @Override
        public CompletableFuture<Void> toCatalogue(MetadataService catalogue) {
            return catalogue.deletePartition(deletion);
        }

        @Override
        public String toString() {
            return deletion.state() + " of " + partition();
        }
    }
}
