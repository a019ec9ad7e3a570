package dev.shelfmark.compat.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.server.log.remote.metadata.storage.OpenRemoteLogMetadataCache;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;

/** Kafka's own cache, fed as Kafka's own manager feeds it, and what is needed to judge differences, learned from it alone. */
final class KafkaOracle {

    private final OpenRemoteLogMetadataCache cache = new OpenRemoteLogMetadataCache();
    private final Set<RemoteLogSegmentId> deleted = new HashSet<>();
    private final Map<RemoteLogSegmentId, Integer> finishedAt = new HashMap<>();
    private final Map<RemoteLogSegmentId, Set<Integer>> everyEpoch = new HashMap<>();
    private Map<RemoteLogSegmentId, RemoteLogSegmentMetadata> segments = Map.of();
    private int step;

    /**
     * Feeds an add.
     *
     * @return false when it was kept from Kafka's cache, which would have created a deleted segment anew
     */
    boolean add(RemoteLogSegmentMetadata segment) {
        step++;
        RemoteLogSegmentId id = segment.remoteLogSegmentId();
        if (deleted.contains(id)) {
            return false;
        }
        cache.add(segment);
        refresh();
        if (segment.equals(segments().get(id))) {
            everyEpoch
                    .computeIfAbsent(id, unused -> new HashSet<>())
                    .addAll(segment.segmentLeaderEpochs().keySet());
        }
        return true;
    }

    void update(RemoteLogSegmentMetadataUpdate update) {
        step++;
        RemoteLogSegmentId id = update.remoteLogSegmentId();
        RemoteLogSegmentMetadata before = segments().get(id);
        try {
            cache.update(update);
            refresh();
        } catch (RemoteResourceNotFoundException e) {
            // Kafka's manager logs it and reports success; nothing has changed.
            return;
        }
        RemoteLogSegmentMetadata after = segments().get(id);
        if (before != null && after == null) {
            deleted.add(id);
        } else if (after != null && after.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED) {
            finishedAt.putIfAbsent(id, step);
        }
    }

    /** Every segment that is not deleted. */
    Map<RemoteLogSegmentId, RemoteLogSegmentMetadata> segments() {
        return segments;
    }

    private void refresh() {
        Map<RemoteLogSegmentId, RemoteLogSegmentMetadata> all = new HashMap<>();
        cache.list().forEachRemaining(segment -> all.put(segment.remoteLogSegmentId(), segment));
        segments = Map.copyOf(all);
    }

    Optional<RemoteLogSegmentMetadata> lookup(int epoch, long offset) {
        return cache.lookup(epoch, offset);
    }

    Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(int epoch, long offset) {
        return cache.nextWithTxnIndex(epoch, offset);
    }

    Optional<Long> highestOffset(int epoch) {
        return cache.highestOffset(epoch);
    }

    /** Empty when Kafka's cache throws instead of answering. */
    Optional<List<RemoteLogSegmentMetadata>> list(int epoch) {
        List<RemoteLogSegmentMetadata> segments = new ArrayList<>();
        try {
            cache.list(epoch).forEachRemaining(segments::add);
            return Optional.of(segments);
        } catch (RemoteResourceNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Whether one segment was finished after another, by the order of the reports. */
    boolean finishedLater(RemoteLogSegmentMetadata segment, RemoteLogSegmentMetadata than) {
        return finishedAt.getOrDefault(segment.remoteLogSegmentId(), -1)
                > finishedAt.getOrDefault(than.remoteLogSegmentId(), -1);
    }

    /** Whether a segment once had an epoch, by an add that was repeated with other epochs since. */
    boolean onceHad(RemoteLogSegmentId id, int epoch) {
        return everyEpoch.getOrDefault(id, Set.of()).contains(epoch);
    }

    /** Whether a deleted segment once had an epoch. */
    boolean deletedOnceHad(int epoch) {
        return deleted.stream().anyMatch(id -> onceHad(id, epoch));
    }
}
