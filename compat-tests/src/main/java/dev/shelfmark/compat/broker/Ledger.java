package dev.shelfmark.compat.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to one partition, remembers which offset each got, and proves that a consumer gets exactly these: every one, in
 * order, with its key and value, and none that was aborted.
 */
public final class Ledger implements AutoCloseable {

    private static final Duration READ_LIMIT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final String PADDING = "·".repeat(20);

    private final TieredTopic topic;
    private final TopicPartition partition;
    private final NavigableMap<Long, Integer> committed = new TreeMap<>();
    private final KafkaProducer<String, String> producer;
    private @Nullable KafkaProducer<String, String> transactions;
    private int written;

    /**
     * What a consumer saw.
     *
     * @param records how many records, all of them right
     * @param untilFirst from the start of the consumer to the first record
     * @param untilLast from the start of the consumer to the last record
     */
    public record Reading(int records, Duration untilFirst, Duration untilLast) {}

    /** A ledger of one partition of a topic. */
    public Ledger(TieredTopic topic, int partition) {
        this.topic = topic;
        this.partition = topic.partition(partition);
        this.producer = new KafkaProducer<>(producerConfig());
    }

    /** How many records are written and not aborted. */
    public int size() {
        return committed.size();
    }

    /** Writes so many records and waits until all replicas in sync have them. */
    public Ledger write(int count) {
        return write(count, null);
    }

    /** The same with this timestamp, in milliseconds since 1970. */
    public Ledger write(int count, @Nullable Long timestamp) {
        committed.putAll(send(producer, count, timestamp));
        return this;
    }

    /** Writes so many records in a transaction that commits. */
    public Ledger commit(int count) {
        KafkaProducer<String, String> transactional = transactional();
        transactional.beginTransaction();
        Map<Long, Integer> sent = send(transactional, count, null);
        transactional.commitTransaction();
        committed.putAll(sent);
        return this;
    }

    /** Writes so many records in a transaction that aborts. */
    public Ledger abort(int count) {
        KafkaProducer<String, String> transactional = transactional();
        transactional.beginTransaction();
        send(transactional, count, null);
        transactional.abortTransaction();
        return this;
    }

    private KafkaProducer<String, String> transactional() {
        if (transactions == null) {
            Map<String, Object> config = producerConfig();
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "ledger-of-" + partition);
            transactions = new KafkaProducer<>(config);
            transactions.initTransactions();
        }
        return transactions;
    }

    private Map<Long, Integer> send(KafkaProducer<String, String> through, int count, @Nullable Long timestamp) {
        Map<Integer, Future<RecordMetadata>> sent = new HashMap<>();
        for (int i = 0; i < count; i++, written++) {
            sent.put(
                    written,
                    through.send(new ProducerRecord<>(
                            partition.topic(), partition.partition(), timestamp, key(written), value(written))));
        }
        through.flush();
        Map<Long, Integer> acknowledged = new HashMap<>();
        sent.forEach((number, metadata) -> acknowledged.put(
                Kafka.answer(metadata, "writing record " + number + " to " + partition)
                        .offset(),
                number));
        if (acknowledged.size() != count) {
            throw new IllegalStateException("several records of " + partition + " were acknowledged with one offset");
        }
        return acknowledged;
    }

    /** Reads everything from offset 0 and compares. */
    public Reading verify() {
        return verify(0, "read_uncommitted");
    }

    /** Reads everything that is committed from offset 0 and compares. */
    public Reading verifyCommitted() {
        return verify(0, "read_committed");
    }

    /**
     * Reads everything from an offset on and compares.
     *
     * @throws AssertionError when a record is missing, wrong or not expected
     * @throws org.apache.kafka.clients.consumer.OffsetOutOfRangeException when the broker says that the offset is not there
     */
    public Reading verify(long from, String isolation) {
        return verify(from, consumerConfig(isolation), consumer -> {});
    }

    /**
     * Reads everything from offset 0 through the replica on one broker, which must not lead the partition, and compares. The brokers
     * need {@code replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector}.
     *
     * @throws AssertionError also when another replica answered
     */
    public Reading verifyThrough(Broker follower) {
        Map<String, Object> config = consumerConfig("read_uncommitted");
        config.put(ConsumerConfig.CLIENT_RACK_CONFIG, NodeProperties.rack(follower.id()));
        Set<Integer> replicas = new HashSet<>();
        Reading reading = verify(0, config, consumer -> replicas.add(preferredReplica(consumer)));
        if (!replicas.contains(follower.id())) {
            throw new AssertionError(partition + " was to be read through " + follower
                    + ", but the preferred replicas were " + replicas);
        }
        return reading;
    }

    /** As the consumer's metrics tell it; -1 for the leader. */
    private static int preferredReplica(KafkaConsumer<String, String> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("preferred-read-replica"))
                .map(metric -> ((Number) metric.getValue().metricValue()).intValue())
                .findFirst()
                .orElse(-1);
    }

    private Reading verify(
            long from, Map<String, Object> config, Consumer<KafkaConsumer<String, String>> afterEachPoll) {
        long begun = System.nanoTime();
        long first = begun;
        long last = begun;
        List<Map.Entry<Long, Integer>> expected =
                new ArrayList<>(committed.tailMap(from, true).entrySet());
        int seen = 0;
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(config)) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                if (System.nanoTime() - begun > READ_LIMIT.toNanos()) {
                    throw new AssertionError("read " + seen + " of " + expected.size() + " records of " + partition
                            + " within " + READ_LIMIT + "; stands at " + consumer.position(partition) + " of " + end);
                }
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    last = System.nanoTime();
                    first = seen == 0 ? last : first;
                    check(record, expected, seen++);
                }
                afterEachPoll.accept(consumer);
            }
        }
        if (seen != expected.size()) {
            throw new AssertionError("only " + seen + " of " + expected.size() + " records of " + partition
                    + " are there; the first missing is at offset "
                    + expected.get(seen).getKey());
        }
        return new Reading(seen, Duration.ofNanos(first - begun), Duration.ofNanos(last - begun));
    }

    /**
     * Reads from an offset on for a while, whether anything comes or not.
     *
     * @return how many records came, all of them right
     * @throws org.apache.kafka.clients.consumer.OffsetOutOfRangeException when the broker says that the offset is not there
     */
    public int attempt(long from, Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        List<Map.Entry<Long, Integer>> expected =
                new ArrayList<>(committed.tailMap(from, true).entrySet());
        int seen = 0;
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(consumerConfig("read_uncommitted"))) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            while (System.nanoTime() < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    check(record, expected, seen++);
                }
            }
        }
        return seen;
    }

    private void check(ConsumerRecord<String, String> record, List<Map.Entry<Long, Integer>> expected, int index) {
        if (index >= expected.size()) {
            throw new AssertionError("unexpected record at offset " + record.offset() + " of " + partition);
        }
        Map.Entry<Long, Integer> next = expected.get(index);
        int number = next.getValue();
        if (record.offset() != next.getKey()
                || !record.key().equals(key(number))
                || !record.value().equals(value(number))) {
            throw new AssertionError("expected record " + number + " at offset " + next.getKey() + " of " + partition
                    + ", got offset " + record.offset() + ", key " + record.key() + ", value " + record.value());
        }
    }

    private static String key(int number) {
        return "key-" + number;
    }

    private String value(int number) {
        return "record " + number + " of " + partition + " " + Integer.toHexString(number * 0x9E3779B1) + PADDING;
    }

    private Map<String, Object> producerConfig() {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.cluster().bootstrapServers());
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, TopicSpec.SEGMENT_BYTES / 4);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        return config;
    }

    private Map<String, Object> consumerConfig(String isolation) {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.cluster().bootstrapServers());
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        // A consumer that is told to start over would hide a loss.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        return config;
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        if (transactions != null) {
            transactions.close(Duration.ofSeconds(5));
        }
    }
}
