package org.apache.kafka.server.log.remote.metadata.storage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Kafka's own metadata caches, filled with events and asked as a broker asks them. */
public final class KafkaCaches {

    private final RemotePartitionMetadataStore store = new RemotePartitionMetadataStore();
    private final Set<TopicIdPartition> partitions = new HashSet<>();
    private final Set<TopicIdPartition> deleted = new HashSet<>();

    /** Takes an event as a broker that has the partition assigned does. */
    public void handle(RemoteLogMetadata event) {
        TopicIdPartition partition = event.topicIdPartition();
        if (deleted.contains(partition)) {
            return;
        }
        partitions.add(partition);
        store.maybeLoadPartition(partition);
        store.markInitialized(partition);
        store.handleRemoteLogMetadata(event);
        if (event instanceof RemotePartitionDeleteMetadata deletion
                && deletion.state() == RemotePartitionDeleteState.DELETE_PARTITION_FINISHED) {
            deleted.add(partition);
        }
    }

    /** Every partition of which there were events. */
    public Set<TopicIdPartition> partitions() {
        return partitions;
    }

    /** Whether the whole partition was deleted: Kafka then knows nothing of it. */
    public boolean deleted(TopicIdPartition partition) {
        return deleted.contains(partition);
    }

    /** {@code remoteLogSegmentMetadata}. */
    public Optional<RemoteLogSegmentMetadata> lookup(TopicIdPartition partition, int epoch, long offset) {
        return asked(() -> store.remoteLogSegmentMetadata(partition, offset, epoch));
    }

    /** {@code highestOffsetForEpoch}. */
    public Optional<Long> highestOffset(TopicIdPartition partition, int epoch) {
        return asked(() -> store.highestLogOffset(partition, epoch));
    }

    /** {@code listRemoteLogSegments} of the partition. */
    public List<RemoteLogSegmentMetadata> list(TopicIdPartition partition) {
        return asked(() -> drained(store.listRemoteLogSegments(partition)));
    }

    /** {@code listRemoteLogSegments} of an epoch. */
    public List<RemoteLogSegmentMetadata> list(TopicIdPartition partition, int epoch) {
        return asked(() -> drained(store.listRemoteLogSegments(partition, epoch)));
    }

    private static List<RemoteLogSegmentMetadata> drained(Iterator<RemoteLogSegmentMetadata> segments) {
        List<RemoteLogSegmentMetadata> all = new ArrayList<>();
        segments.forEachRemaining(all::add);
        return all;
    }

    private interface Question<T> {
        T answer() throws RemoteStorageException;
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.answer();
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("Kafka's cache was asked of a partition that it does not have", e);
        }
    }
}
