package dev.shelfmark.compat.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * Our rules in the plainest form: lists, loops and no cache, written without a look at the catalogue. What the plugin answers must equal what this
 * answers, in every field and in order. For one thread.
 */
class NaiveCatalogue implements RemoteLogMetadataManager {

    private final Map<TopicIdPartition, Partition> partitions = new HashMap<>();

    private static final class Partition {
        final Map<RemoteLogSegmentId, RemoteLogSegmentMetadata> segments = new HashMap<>();
        final Map<RemoteLogSegmentId, Integer> finished = new HashMap<>();
        final Set<RemoteLogSegmentId> deleted = new HashSet<>();
        final Map<Integer, Long> highest = new HashMap<>();

        List<RemoteLogSegmentMetadata> inOrder() {
            List<RemoteLogSegmentMetadata> all = new ArrayList<>(segments.values());
            all.sort(Comparator.comparingLong(RemoteLogSegmentMetadata::startOffset)
                    .thenComparing(
                            segment -> finished.getOrDefault(segment.remoteLogSegmentId(), 0),
                            Comparator.reverseOrder())
                    .thenComparing(segment -> segment.remoteLogSegmentId().id(), NaiveCatalogue::compareUnsigned));
            return all;
        }

        Optional<RemoteLogSegmentMetadata> lastFinished(List<RemoteLogSegmentMetadata> candidates) {
            return candidates.stream()
                    .max(Comparator.comparingInt(segment -> finished.getOrDefault(segment.remoteLogSegmentId(), 0)));
        }
    }

    private static int compareUnsigned(Uuid a, Uuid b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    private Partition of(TopicIdPartition partition) {
        return partitions.computeIfAbsent(partition, unused -> new Partition());
    }

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata segment) {
        RemoteLogSegmentId id = segment.remoteLogSegmentId();
        Partition partition = of(id.topicIdPartition());
        RemoteLogSegmentMetadata before = partition.segments.get(id);
        boolean started = before != null && before.state() == RemoteLogSegmentState.COPY_SEGMENT_STARTED;
        if (partition.deleted.contains(id) || (before != null && !started)) {
            return CompletableFuture.failedFuture(new RemoteStorageException("too late to be added"));
        }
        partition.segments.put(id, segment);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update) {
        RemoteLogSegmentId id = update.remoteLogSegmentId();
        Partition partition = of(id.topicIdPartition());
        RemoteLogSegmentMetadata before = partition.segments.get(id);
        if (before == null) {
            return update.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED
                    ? CompletableFuture.failedFuture(new RemoteResourceNotFoundException("unknown or deleted"))
                    : CompletableFuture.completedFuture(null);
        }
        if (!RemoteLogSegmentState.isValidTransition(before.state(), update.state())) {
            return CompletableFuture.failedFuture(new RemoteStorageException("not from " + before.state()));
        }
        RemoteLogSegmentMetadata after = before.createWithUpdates(update);
        switch (update.state()) {
            case DELETE_SEGMENT_FINISHED -> {
                partition.segments.remove(id);
                partition.deleted.add(id);
            }
            case COPY_SEGMENT_FINISHED -> {
                partition.segments.put(id, after);
                partition.finished.putIfAbsent(id, partition.finished.size() + 1);
                for (int epoch : after.segmentLeaderEpochs().keySet()) {
                    partition.highest.merge(epoch, Epochs.end(after, epoch), Math::max);
                }
            }
            default -> partition.segments.put(id, after);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(TopicIdPartition key, int epoch, long offset) {
        Partition partition = of(key);
        return partition.lastFinished(partition.segments.values().stream()
                .filter(segment -> Epochs.finished(segment) && Epochs.covers(segment, epoch, offset))
                .toList());
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> nextSegmentWithTxnIndex(TopicIdPartition key, int epoch, long offset) {
        return of(key).inOrder().stream()
                .filter(segment -> Epochs.finished(segment) && !segment.isTxnIdxEmpty())
                .filter(segment -> Epochs.reaches(segment, epoch, offset))
                .findFirst();
    }

    @Override
    public Optional<Long> highestOffsetForEpoch(TopicIdPartition key, int epoch) {
        return Optional.ofNullable(of(key).highest.get(epoch));
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition key) {
        return of(key).inOrder().iterator();
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition key, int epoch) {
        return of(key).inOrder().stream()
                .filter(segment -> Epochs.has(segment, epoch))
                .iterator();
    }

    @Override
    public long remoteLogSize(TopicIdPartition key, int epoch) {
        return of(key).segments.values().stream()
                .filter(segment -> Epochs.has(segment, epoch))
                .mapToLong(RemoteLogSegmentMetadata::segmentSizeInBytes)
                .sum();
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata deletion) {
        throw new UnsupportedOperationException("sequences do not delete partitions");
    }

    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        // Holds no cache that leadership would change.
    }

    @Override
    public void onStopPartitions(Set<TopicIdPartition> stopped) {
        // As above.
    }

    @Override
    public boolean isReady(TopicIdPartition partition) {
        return true;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Has no settings.
    }

    @Override
    public void close() {
        // Holds nothing that must be given up.
    }
}
