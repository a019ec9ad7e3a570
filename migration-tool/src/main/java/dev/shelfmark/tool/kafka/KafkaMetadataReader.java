package dev.shelfmark.tool.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** {@link MetadataReader} on Kafka's consumer, without a group: offsets are kept with what was made of the records. */
final class KafkaMetadataReader implements MetadataReader {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int RECORDS_PER_POLL = 5_000;

    /**
     * How long a broker waits for records. Short: the client asks on at the end of a partition, and not for another one of the same broker
     * until that is answered.
     */
    private static final int FETCH_WAIT_MS = 20;

    private final KafkaConnection connection;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Collection<TopicPartition> assigned = List.of();

    KafkaMetadataReader(KafkaConnection connection) {
        this.connection = connection;
        Map<String, Object> settings = connection.settings();
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "none");
        settings.put("allow.auto.create.topics", false);
        settings.put("max.poll.records", RECORDS_PER_POLL);
        settings.putIfAbsent("fetch.max.wait.ms", FETCH_WAIT_MS);
        settings.remove("group.id");
        try {
            this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (RuntimeException e) {
            throw BrokerErrors.untried(connection, e);
        }
    }

    @Override
    public void seek(Map<Integer, Long> offsets) {
        Map<TopicPartition, Long> begin = new HashMap<>();
        offsets.forEach((partition, offset) -> begin.put(new TopicPartition(MetadataTopic.NAME, partition), offset));
        assigned = begin.keySet();
        consumer.assign(assigned);
        begin.forEach(consumer::seek);
    }

    @Override
    public List<MetadataRecord> poll(Duration wait) {
        return call("read " + MetadataTopic.NAME, () -> {
            List<MetadataRecord> records = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
                records.add(
                        new MetadataRecord(record.partition(), record.offset(), record.timestamp(), record.value()));
            }
            return records;
        });
    }

    @Override
    public Map<Integer, Long> positions() {
        return call("tell positions in " + MetadataTopic.NAME, () -> {
            Map<Integer, Long> positions = new TreeMap<>();
            assigned.forEach(partition -> positions.put(partition.partition(), consumer.position(partition)));
            return positions;
        });
    }

    @Override
    public Map<Integer, Long> ends() {
        return call("list the offsets of " + MetadataTopic.NAME, () -> {
            Map<Integer, Long> ends = new TreeMap<>();
            consumer.endOffsets(assigned).forEach((partition, end) -> ends.put(partition.partition(), end));
            return ends;
        });
    }

    private <T> T call(String action, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw BrokerErrors.translate(connection, action, e);
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
