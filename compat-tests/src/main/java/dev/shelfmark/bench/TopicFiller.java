package dev.shelfmark.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataTopicPartitioner;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.jspecify.annotations.Nullable;

/**
 * Writes a catalogue's history into the topic of Kafka's default, in its own format and to the partitions that it chooses. Records travel in
 * large batches, which replay faster than the single ones that brokers write.
 */
final class TopicFiller implements AutoCloseable {

    static final String TOPIC = "__remote_log_metadata";
    static final int PARTITIONS = 50;

    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
    private final RemoteLogMetadataTopicPartitioner partitioner = new RemoteLogMetadataTopicPartitioner(PARTITIONS);
    private final Producer<byte[], byte[]> producer;
    private volatile @Nullable Exception failure;
    private long events;

    /** Writes a batch for each record, as the topic of real brokers has: they report one segment now and then, and wait for it. */
    TopicFiller(String bootstrapServers) {
        this(bootstrapServers, 0);
    }

    /** The same in batches, for who only needs the records. */
    static TopicFiller inBatches(String bootstrapServers) {
        return new TopicFiller(bootstrapServers, 128 * 1024);
    }

    private TopicFiller(String bootstrapServers, int batchBytes) {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(ProducerConfig.LINGER_MS_CONFIG, batchBytes == 0 ? 0 : 50);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
        // One request at a time keeps the order, whatever is sent again while a new topic's leaders begin.
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates the topic as Kafka's default does. */
    static void create(Admin admin) {
        NewTopic topic = new NewTopic(TOPIC, PARTITIONS, (short) 1)
                .configs(Map.of("retention.ms", "-1", "cleanup.policy", "delete"));
        try {
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("can't create " + TOPIC, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating " + TOPIC, e);
        }
    }

    /** Writes all events of a catalogue, all partitions advancing together; how many there were. */
    long fill(Layout layout) {
        List<TopicIdPartition> partitions = layout.all();
        long before = events;
        for (long segment = 0; segment < (long) layout.deleted() + layout.live(); segment++) {
            for (TopicIdPartition partition : partitions) {
                send(partition, layout.segment(partition, segment, RemoteLogSegmentState.COPY_SEGMENT_STARTED));
                send(partition, update(layout, partition, segment, RemoteLogSegmentState.COPY_SEGMENT_FINISHED));
                long expired = segment - layout.live();
                if (expired >= 0) {
                    send(partition, update(layout, partition, expired, RemoteLogSegmentState.DELETE_SEGMENT_STARTED));
                    send(partition, update(layout, partition, expired, RemoteLogSegmentState.DELETE_SEGMENT_FINISHED));
                }
            }
        }
        producer.flush();
        Exception failed = failure;
        if (failed != null) {
            throw new IllegalStateException("writing to " + TOPIC + " failed", failed);
        }
        return events - before;
    }

    private static RemoteLogSegmentMetadataUpdate update(
            Layout layout, TopicIdPartition partition, long segment, RemoteLogSegmentState state) {
        return new RemoteLogSegmentMetadataUpdate(
                new RemoteLogSegmentId(partition, layout.segmentId(partition.partition(), segment)),
                Layout.timestampMs(segment),
                Optional.empty(),
                state,
                Layout.BROKER);
    }

    private void send(TopicIdPartition partition, RemoteLogMetadata event) {
        events++;
        var unused = producer.send(
                new ProducerRecord<>(TOPIC, partitioner.metadataPartition(partition), null, serde.serialize(event)),
                (written, failed) -> {
                    if (failed != null) {
                        failure = failed;
                    }
                });
    }

    @Override
    public void close() {
        producer.close();
    }
}
