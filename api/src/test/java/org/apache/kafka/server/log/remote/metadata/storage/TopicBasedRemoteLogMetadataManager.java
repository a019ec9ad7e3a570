package org.apache.kafka.server.log.remote.metadata.storage;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;

/**
 * Stands where Kafka's class of this name stands on a broker's class path: keeps a topic for each cluster in memory, and can be made to sleep between a
 * call and its record, as a process that is stopped there does.
 */
public final class TopicBasedRemoteLogMetadataManager implements RemoteLogMetadataManager {

    private static final Map<String, Topic> TOPICS = new ConcurrentHashMap<>();

    /** A cluster's topic, and who was made to read it. */
    public static final class Topic {
        public final Map<Uuid, RemoteLogSegmentMetadata> segments = new ConcurrentHashMap<>();
        public final List<TopicBasedRemoteLogMetadataManager> managers = new CopyOnWriteArrayList<>();
        /** Calls sleep before their record is written for as long as it is not open. */
        public volatile CountDownLatch sleep = new CountDownLatch(0);
        /** Records are written, but not acknowledged, for as long as it is not open. */
        public volatile CountDownLatch acknowledgement = new CountDownLatch(0);

        public final AtomicInteger asleep = new AtomicInteger();
        /** Runs in each manager's configure. */
        public volatile Runnable beforeConfigure = () -> {};
        /** Runs when a manager is told of partitions. */
        public volatile Runnable beforeLeadership = () -> {};
        /** Runs when a manager is told that the broker is ready. */
        public volatile Runnable beforeReady = () -> {};
        /** Runs when a manager is given a report. */
        public volatile Runnable beforeWrite = () -> {};
    }

    private Topic topic = new Topic();
    public volatile boolean started;
    public volatile boolean closed;
    public final Set<TopicIdPartition> assigned = ConcurrentHashMap.newKeySet();

    /** The topic of a cluster. */
    public static Topic of(String clusterId) {
        return TOPICS.computeIfAbsent(clusterId, unused -> new Topic());
    }

    @Override
    public void configure(Map<String, ?> configs) {
        topic = of(String.valueOf(configs.get("cluster.id")));
        topic.managers.add(this);
        topic.beforeConfigure.run();
    }

    /** As Kafka's from 4.2 on. */
    public void onBrokerReady() {
        topic.beforeReady.run();
        started = true;
    }

    private void ensureStarted() {
        if (!started || closed) {
            throw new IllegalStateException("started: " + started + ", closed: " + closed);
        }
    }

    private CompletableFuture<Void> write(Runnable change) {
        topic.beforeWrite.run();
        ensureStarted();
        try {
            topic.asleep.incrementAndGet();
            if (!topic.sleep.await(60, TimeUnit.SECONDS)) {
                throw new IllegalArgumentException("slept for too long");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        change.run();
        CountDownLatch acknowledgement = topic.acknowledgement;
        return CompletableFuture.runAsync(() -> {
            try {
                if (!acknowledgement.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalArgumentException("not acknowledged");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata segment) {
        return write(() -> topic.segments.put(segment.remoteLogSegmentId().id(), segment));
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update) {
        return write(() -> topic.segments.computeIfPresent(
                update.remoteLogSegmentId().id(), (id, segment) -> segment.createWithUpdates(update)));
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata deletion) {
        return write(() -> {});
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(
            TopicIdPartition partition, int epoch, long offset) {
        return list(partition).stream()
                .filter(segment -> segment.startOffset() <= offset && offset <= segment.endOffset())
                .findFirst();
    }

    @Override
    public Optional<Long> highestOffsetForEpoch(TopicIdPartition partition, int epoch) {
        return list(partition).stream().map(RemoteLogSegmentMetadata::endOffset).max(Long::compare);
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition) {
        return list(partition).iterator();
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition, int epoch) {
        return list(partition).iterator();
    }

    private List<RemoteLogSegmentMetadata> list(TopicIdPartition partition) {
        ensureStarted();
        return topic.segments.values().stream()
                .filter(segment ->
                        segment.remoteLogSegmentId().topicIdPartition().equals(partition))
                .toList();
    }

    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        topic.beforeLeadership.run();
        assigned.addAll(leaders);
        assigned.addAll(followers);
    }

    @Override
    public void onStopPartitions(Set<TopicIdPartition> partitions) {
        assigned.removeAll(partitions);
    }

    @Override
    public long remoteLogSize(TopicIdPartition partition, int epoch) {
        return list(partition).stream()
                .mapToLong(RemoteLogSegmentMetadata::segmentSizeInBytes)
                .sum();
    }

    @Override
    public boolean isReady(TopicIdPartition partition) {
        return started && !closed && assigned.contains(partition);
    }

    @Override
    public void close() {
        closed = true;
    }
}
