package dev.shelfmark.compat.outages;

import dev.shelfmark.compat.broker.Broker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers with Kafka's own settings, all at offset 0 of a partition whose beginning is in the remote tier: how many fetch
 * requests they send, and how many lines the broker logs.
 */
final class Flood implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final String FETCHES = "fetch-total";

    private final Broker broker;
    private final List<Reader> readers = new ArrayList<>();
    private volatile boolean stopped;

    /**
     * What was counted.
     *
     * @param fetches fetch requests a second, of all consumers together
     * @param lines lines of the broker's log a second
     * @param records how many records came
     */
    record Rate(double fetches, double lines, long records) {}

    private final class Reader {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Thread thread;
        private final AtomicLong records = new AtomicLong();
        private final AtomicLong retries = new AtomicLong();

        Reader(String bootstrapServers, TopicPartition partition, int number) {
            Map<String, Object> config = new HashMap<>();
            config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
            config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            consumer = new KafkaConsumer<>(config);
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            thread = new Thread(this::poll, "flood-" + number);
            thread.setDaemon(true);
            thread.start();
        }

        private void poll() {
            while (!stopped) {
                try {
                    records.addAndGet(consumer.poll(POLL).count());
                } catch (RetriableException e) {
                    // As a client that goes on after an error that may pass.
                    retries.incrementAndGet();
                }
            }
            consumer.close();
        }

        double fetches() {
            return consumer.metrics().entrySet().stream()
                    .filter(metric -> metric.getKey().name().equals(FETCHES)
                            && metric.getKey().group().equals("consumer-fetch-manager-metrics"))
                    .mapToDouble(metric -> (double) metric.getValue().metricValue())
                    .sum();
        }
    }

    /** Starts so many consumers. */
    Flood(String bootstrapServers, Broker broker, TopicPartition partition, int consumers) {
        this.broker = broker;
        for (int i = 0; i < consumers; i++) {
            readers.add(new Reader(bootstrapServers, partition, i));
        }
    }

    /** Counts for a while, after a moment in which the consumers connect. */
    Rate measure(Duration warmUp, Duration duration) {
        pause(warmUp);
        double fetches = fetches();
        long lines = lines();
        long begun = System.nanoTime();
        pause(duration);
        double seconds = (System.nanoTime() - begun) / 1e9;
        return new Rate((fetches() - fetches) / seconds, (lines() - lines) / seconds, records());
    }

    /** How many records came to all consumers. */
    long records() {
        return readers.stream().mapToLong(reader -> reader.records.get()).sum();
    }

    /** How many consumers got something. */
    long served() {
        return readers.stream().filter(reader -> reader.records.get() > 0).count();
    }

    private double fetches() {
        return readers.stream().mapToDouble(Reader::fetches).sum();
    }

    private long lines() {
        try (Stream<String> lines = Files.lines(broker.log(), StandardCharsets.ISO_8859_1)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + broker.log(), e);
        }
    }

    private static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }

    @Override
    public void close() {
        stopped = true;
        for (Reader reader : readers) {
            try {
                reader.thread.join(TimeUnit.SECONDS.toMillis(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
