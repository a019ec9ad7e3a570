package dev.shelfmark.tool.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** {@link MetadataWriter} on Kafka's idempotent producer: no record twice, none out of order, however often it is sent again. */
final class KafkaMetadataWriter implements MetadataWriter {

    private static final String ACTION = "write to " + MetadataTopic.NAME;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final KafkaConnection connection;
    private final CallLimit limit;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<Integer, Future<RecordMetadata>> last = new HashMap<>();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    KafkaMetadataWriter(KafkaConnection connection, CallLimit limit) {
        this.connection = connection;
        this.limit = limit;
        Map<String, Object> settings = connection.settingsOfWriter(limit);
        settings.put("acks", "all");
        settings.put("enable.idempotence", true);
        settings.remove("transactional.id");
        try {
            this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (RuntimeException e) {
            throw BrokerErrors.untried(connection, e);
        }
    }

    @Override
    public void send(int partition, byte[] value) {
        ensureGood();
        try {
            last.put(
                    partition,
                    producer.send(
                            new ProducerRecord<>(MetadataTopic.NAME, partition, null, value), (metadata, exception) -> {
                                if (exception != null) {
                                    failure.compareAndSet(null, exception);
                                }
                            }));
        } catch (RuntimeException e) {
            throw BrokerErrors.translate(connection, ACTION, e);
        }
    }

    @Override
    public void flush() {
        // Kafka's own flush knows no limit but that of each record. What is sent to a partition arrives in its order.
        last.values().forEach(sent -> limit.get(ACTION, sent));
        last.clear();
        ensureGood();
    }

    private void ensureGood() {
        Exception failed = failure.get();
        if (failed != null) {
            throw BrokerErrors.translate(connection, ACTION, failed);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
