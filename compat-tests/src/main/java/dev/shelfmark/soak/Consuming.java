package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.TieredTopic;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads one partition from its beginning again and again, and compares: each record that was acknowledged before is there once, at its offset, with its
 * value; no record of an aborted transaction is seen by who reads what is committed.
 */
final class Consuming implements Runnable {

    private static final Duration POLL = Duration.ofMillis(500);

    private final TieredTopic topic;
    private final TopicPartition partition;
    private final Records records;
    private final boolean committed;
    private final boolean shortened;
    private final Findings findings;
    private final AtomicInteger passes = new AtomicInteger();
    private volatile boolean stopped;

    /**
     * @param committed whether to read committed records only
     * @param shortened whether retention may delete the beginning
     */
    Consuming(
            TieredTopic topic,
            int partition,
            Records records,
            boolean committed,
            boolean shortened,
            Findings findings) {
        this.topic = topic;
        this.partition = topic.partition(partition);
        this.records = records;
        this.committed = committed;
        this.shortened = shortened;
        this.findings = findings;
    }

    void stop() {
        stopped = true;
    }

    /** How often it came to the end. */
    int passes() {
        return passes.get();
    }

    @Override
    public void run() {
        while (!stopped) {
            pass(Duration.ofSeconds(60));
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Reads once; whether it came to the end of what had been acknowledged. An outage may keep it from that, and is no finding. */
    boolean pass(Duration limit) {
        NavigableMap<Long, String> expected = records.snapshot();
        if (expected.isEmpty()) {
            return true;
        }
        try (KafkaConsumer<byte[], String> consumer = new KafkaConsumer<>(config())) {
            consumer.assign(List.of(partition));
            boolean done = pass(consumer, expected, System.nanoTime() + limit.toNanos());
            if (done) {
                passes.incrementAndGet();
            }
            return done;
        } catch (OffsetOutOfRangeException e) {
            if (!shortened) {
                findings.broken("a consumer of " + partition + " was told that " + e.offsetOutOfRangePartitions()
                        + " is out of range, although nothing deletes its records");
            }
            return false;
        } catch (KafkaException e) {
            return false;
        }
    }

    private boolean pass(KafkaConsumer<byte[], String> consumer, NavigableMap<Long, String> expected, long deadline) {
        long next = shortened ? consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L) : 0;
        consumer.seek(partition, next);
        Set<String> seen = new HashSet<>();
        long last = expected.lastKey();
        boolean first = true;
        while (next <= last) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                for (ConsumerRecord<byte[], String> record : consumer.poll(POLL)) {
                    long from = first && shortened ? record.offset() : next;
                    first = false;
                    check(record, expected.subMap(from, true, Math.max(from, record.offset()), false), expected, seen);
                    next = record.offset() + 1;
                }
            } catch (RetriableException e) {
                continue;
            }
            long position = consumer.position(partition);
            if (position > next) {
                // Only what no consumer gets lies between: markers of transactions, and aborted records.
                if (!first || !shortened) {
                    missing(expected.subMap(next, true, position, false));
                }
                next = position;
            }
        }
        return true;
    }

    private void check(
            ConsumerRecord<byte[], String> record,
            NavigableMap<Long, String> skipped,
            NavigableMap<Long, String> expected,
            Set<String> seen) {
        missing(skipped);
        String right = expected.get(record.offset());
        if (right != null && !right.equals(record.value())) {
            findings.broken(partition + " gave another record at offset " + record.offset()
                    + " than the one that was acknowledged: " + record.value() + " for " + right);
        }
        if (!seen.add(record.value())) {
            findings.broken(partition + " gave " + record.value() + " twice");
        }
        if (committed && records.isAborted(record.value())) {
            findings.broken(partition + " gave " + record.value() + ", which was aborted");
        }
    }

    private void missing(NavigableMap<Long, String> lost) {
        if (!lost.isEmpty()) {
            findings.broken(lost.size() + " acknowledged records of " + topic.name() + " are missing from offset "
                    + lost.firstKey() + " of " + partition + " on");
        }
    }

    private Map<String, Object> config() {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, topic.cluster().bootstrapServers());
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, committed ? "read_committed" : "read_uncommitted");
        // Who starts over when told to would hide a loss.
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return config;
    }
}
