package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.TieredTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Writes to one partition until it is stopped, and remembers what was acknowledged; with transactions or without. */
final class Producing implements Runnable {

    private static final int BATCH = 20;
    private static final String PADDING = "·".repeat(30);

    private final TieredTopic topic;
    private final int partition;
    private final boolean transactional;
    private final long pauseMs;
    private final Random random;
    private final Records records = new Records();
    private volatile boolean stopped;
    private long number;

    Producing(TieredTopic topic, int partition, boolean transactional, long pauseMs, long seed) {
        this.topic = topic;
        this.partition = partition;
        this.transactional = transactional;
        this.pauseMs = pauseMs;
        this.random = new Random(seed);
    }

    Records records() {
        return records;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        KafkaProducer<byte[], String> producer = null;
        while (!stopped) {
            try {
                producer = producer == null ? open() : producer;
                if (transactional) {
                    transaction(producer);
                } else {
                    send(producer).forEach((value, offset) -> records.acknowledged(offset, value));
                }
                TimeUnit.MILLISECONDS.sleep(pauseMs);
            } catch (KafkaException e) {
                // Whether what was sent last is there nobody knows; nothing of it was taken for acknowledged.
                close(producer);
                producer = null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stopped = true;
            }
        }
        close(producer);
    }

    private void transaction(KafkaProducer<byte[], String> producer) throws InterruptedException {
        producer.beginTransaction();
        Map<String, Long> sent = send(producer);
        if (random.nextInt(4) == 0) {
            producer.abortTransaction();
            sent.keySet().forEach(records::aborted);
        } else {
            producer.commitTransaction();
            sent.forEach((value, offset) -> records.acknowledged(offset, value));
        }
    }

    /** What was acknowledged of a batch. */
    private Map<String, Long> send(KafkaProducer<byte[], String> producer) throws InterruptedException {
        List<String> values = new ArrayList<>();
        List<Future<RecordMetadata>> answers = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            String value = topic.name() + "-" + partition + "-" + number++ + PADDING;
            values.add(value);
            answers.add(producer.send(new ProducerRecord<>(topic.name(), partition, null, value)));
        }
        Map<String, Long> acknowledged = new HashMap<>();
        KafkaException failure = null;
        for (int i = 0; i < BATCH; i++) {
            try {
                acknowledged.put(values.get(i), answers.get(i).get().offset());
            } catch (ExecutionException e) {
                failure = new KafkaException(e.getCause());
            }
        }
        if (failure != null) {
            if (!transactional) {
                acknowledged.forEach((value, offset) -> records.acknowledged(offset, value));
            }
            throw failure;
        }
        return acknowledged;
    }

    private KafkaProducer<byte[], String> open() {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.cluster().bootstrapServers());
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 1024);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 20_000);
        config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        if (transactional) {
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic.name() + "-" + partition);
        }
        KafkaProducer<byte[], String> producer = new KafkaProducer<>(config);
        if (transactional) {
            try {
                producer.initTransactions();
            } catch (KafkaException e) {
                close(producer);
                throw e;
            }
        }
        return producer;
    }

    private static void close(@Nullable KafkaProducer<byte[], String> producer) {
        if (producer != null) {
            producer.close(Duration.ofSeconds(2));
        }
    }
}
