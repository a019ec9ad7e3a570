package dev.shelfmark.compat.broker;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What goes on whatever is done to the brokers: a producer that writes a few records at a time, and a consumer that reads the partition from offset 0
 * again and again, across what is tiered and what is not. Any error that reaches them is remembered: a lost record, a gap, an offset out of range.
 */
final class Traffic implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final int AT_A_TIME = 30;
    private static final long PAUSE_MS = 150;

    private final TieredTopic topic;
    private final Ledger ledger;
    private final boolean reading;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread writer;
    private final Thread reader;
    private volatile boolean stopped;
    private final AtomicInteger readings = new AtomicInteger();

    /** On the only partition of a topic, from now on; {@code reading} says whether its offset 0 stays. */
    Traffic(TieredTopic topic, boolean reading) {
        this.topic = topic;
        this.ledger = new Ledger(topic, 0);
        this.reading = reading;
        this.writer = new Thread(() -> watched(this::write), "writer-of-" + topic.name());
        this.reader = new Thread(() -> watched(this::read), "reader-of-" + topic.name());
        this.writer.start();
        this.reader.start();
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void watched(Work work) {
        try {
            work.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void write() throws InterruptedException {
        while (!stopped) {
            ledger.write(AT_A_TIME);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
    }

    private void read() {
        if (!reading) {
            return;
        }
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.cluster().bootstrapServers());
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        TopicPartition partition = topic.partition(0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config)) {
            consumer.assign(List.of(partition));
            while (!stopped) {
                consumer.seek(partition, 0);
                long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
                long next = 0;
                while (next < end && !stopped) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                        if (record.offset() != next) {
                            throw new AssertionError(
                                    "after offset " + (next - 1) + " of " + partition + " came " + record.offset());
                        }
                        next++;
                    }
                }
                readings.incrementAndGet();
            }
        }
    }

    /** Fails when something went wrong. */
    void check() {
        Optional.ofNullable(failure.get()).ifPresent(e -> {
            throw new AssertionError("the traffic of " + topic + " met a failure", e);
        });
    }

    /** How many times the consumer came from offset 0 to the end. */
    int readings() {
        return readings.get();
    }

    /** Ends both, and fails when something went wrong. */
    Ledger stop() {
        end();
        check();
        return ledger;
    }

    private void end() {
        stopped = true;
        try {
            writer.join(TimeUnit.SECONDS.toMillis(150));
            reader.join(TimeUnit.SECONDS.toMillis(150));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end();
        ledger.close();
    }
}
