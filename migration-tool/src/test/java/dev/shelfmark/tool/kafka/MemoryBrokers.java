package dev.shelfmark.tool.kafka;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataTopicPartitioner;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.jspecify.annotations.Nullable;

/** A cluster whose metadata topic stands in memory, written with Kafka's own serde. */
public final class MemoryBrokers implements Brokers {

    private static final int RECORDS_PER_POLL = 7;

    private final String clusterId;
    private final Uuid topicId = Uuid.randomUuid();
    private final RemoteLogMetadataTopicPartitioner partitioner;
    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
    private final List<List<MetadataRecord>> partitions = new ArrayList<>();
    private final Map<Integer, Long> starts = new HashMap<>();
    public final Map<Uuid, TopicInfo> topics = new HashMap<>();
    public Optional<MetadataTopic> described = Optional.empty();
    public Map<Integer, Boolean> registered = new TreeMap<>(Map.of(1, true));
    public final Map<TopicPartition, Long> logStarts = new HashMap<>();
    public boolean away;
    /** Done whenever somebody asks which brokers there are. */
    public Runnable onRegistered = () -> {};
    /** Done whenever somebody has asked for the topic, before he has the answer. */
    public Runnable onDescribed = () -> {};
    /** Done whenever somebody reads. */
    public Runnable onPoll = () -> {};

    private boolean created;
    public long retentionMs = -1;
    public String cleanupPolicy = "delete";

    public MemoryBrokers(String clusterId, int metadataPartitions) {
        this.clusterId = clusterId;
        this.partitioner = new RemoteLogMetadataTopicPartitioner(metadataPartitions);
        for (int i = 0; i < metadataPartitions; i++) {
            partitions.add(new ArrayList<>());
        }
    }

    /** Appends as Kafka's producer does. */
    public void write(RemoteLogMetadata metadata) {
        TopicIdPartition partition = metadata.topicIdPartition();
        topics.putIfAbsent(partition.topicId(), new TopicInfo(partition.topic(), true, -1, false));
        write(partitioner.metadataPartition(partition), serde.serialize(metadata));
    }

    /** Appends these bytes to a metadata partition. */
    public synchronized void write(int partition, byte @Nullable [] value) {
        List<MetadataRecord> log = partitions.get(partition);
        log.add(new MetadataRecord(partition, log.size(), 1_000L * log.size(), value));
    }

    /** Removes records from the head, as retention does. */
    public void truncate(int partition, long start) {
        starts.put(partition, start);
    }

    /** The topic without its last records: as it was when only so many were there in all. */
    public synchronized MetadataTopic upTo(long records) {
        long left = records;
        List<Offsets> offsets = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            long end = Math.min(left, partitions.get(i).size());
            offsets.add(new Offsets(i, starts.getOrDefault(i, 0L), end));
            left -= end;
        }
        return new MetadataTopic(topicId, offsets, retentionMs, -1, cleanupPolicy);
    }

    /** How many records there are. */
    public synchronized long size() {
        return partitions.stream().mapToLong(List::size).sum();
    }

    /** Every record, metadata partition after metadata partition. */
    public synchronized List<MetadataRecord> records() {
        return partitions.stream().flatMap(List::stream).toList();
    }

    @Override
    public void endBy(Deadline deadline) {}

    @Override
    public String clusterId() {
        if (away) {
            throw ToolFailure.kafka("no answer from the brokers at nowhere:1", null);
        }
        return clusterId;
    }

    @Override
    public Optional<MetadataTopic> metadataTopic() {
        Optional<MetadataTopic> topic =
                described.isPresent() || (size() == 0 && !created) ? described : Optional.of(upTo(Long.MAX_VALUE));
        onDescribed.run();
        return topic;
    }

    @Override
    public Map<Uuid, TopicInfo> topics() {
        return topics;
    }

    @Override
    public Map<TopicPartition, Long> logStartOffsets(Set<TopicPartition> partitions) {
        Map<TopicPartition, Long> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, logStarts.getOrDefault(partition, 0L)));
        return asked;
    }

    @Override
    public Map<Integer, Boolean> registeredBrokers() {
        onRegistered.run();
        return registered;
    }

    @Override
    public MetadataReader reader() {
        return new Reader();
    }

    @Override
    public MetadataWriter writer() {
        return new MetadataWriter() {
            @Override
            public void send(int partition, byte[] value) {
                write(partition, value);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public void createMetadataTopic(int count, short replicationFactor) {
        if (count != partitions.size()) {
            throw new IllegalArgumentException("this cluster was made for " + partitions.size() + " partitions");
        }
        created = true;
    }

    @Override
    public void close() {}

    private final class Reader implements MetadataReader {

        private final Map<Integer, Long> positions = new TreeMap<>();

        @Override
        public void seek(Map<Integer, Long> offsets) {
            positions.clear();
            positions.putAll(offsets);
        }

        @Override
        public List<MetadataRecord> poll(Duration wait) {
            onPoll.run();
            List<MetadataRecord> records = new ArrayList<>();
            synchronized (MemoryBrokers.this) {
                for (Map.Entry<Integer, Long> position : positions.entrySet()) {
                    List<MetadataRecord> log = partitions.get(position.getKey());
                    while (records.size() < RECORDS_PER_POLL && position.getValue() < log.size()) {
                        records.add(log.get(Math.toIntExact(position.getValue())));
                        position.setValue(position.getValue() + 1);
                    }
                }
            }
            return records;
        }

        @Override
        public Map<Integer, Long> positions() {
            return Map.copyOf(positions);
        }

        @Override
        public Map<Integer, Long> ends() {
            Map<Integer, Long> ends = new HashMap<>();
            positions
                    .keySet()
                    .forEach(partition ->
                            ends.put(partition, (long) partitions.get(partition).size()));
            return ends;
        }

        @Override
        public void close() {}
    }
}
