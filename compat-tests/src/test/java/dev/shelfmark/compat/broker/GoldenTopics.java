package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/**
 * Writes down what real brokers of one Kafka version leave in {@code __remote_log_metadata}: uploads, several leader epochs, retention, a
 * deleted topic, an upload that never finished. A program, not a test: its files are kept with the tests of the import.
 * docs/compatibility-suite.md tells how to run it.
 */
final class GoldenTopics {

    private static final String TOPIC = "__remote_log_metadata";
    private static final int METADATA_PARTITIONS = 3;
    private static final Duration POLL = Duration.ofMillis(500);

    private GoldenTopics() {}

    /** The directory of a Kafka, and the file to write. */
    public static void main(String[] arguments) throws IOException {
        KafkaDistribution kafka = new KafkaDistribution(Path.of(arguments[0]));
        try (TestCluster cluster = TestCluster.builder().kafka(kafka).start()) {
            live(cluster, kafka);
            List<String> lines = new ArrayList<>();
            lines.add("# Kafka " + kafka.version() + ": metadata partition, offset, timestamp, value in Base64");
            lines.addAll(dump(cluster));
            Files.write(Path.of(arguments[1]), lines, StandardCharsets.UTF_8);
            System.out.println(lines.size() - 1 + " records of Kafka " + kafka.version());
        }
    }

    private static void live(TestCluster cluster, KafkaDistribution kafka) {
        TieredTopic kept = cluster.create(spec("kept", kafka).partitions(2));
        TieredTopic limited = cluster.create(
                spec("limited", kafka).with("retention.bytes", Integer.toString(4 * TopicSpec.SEGMENT_BYTES)));
        TieredTopic gone = cluster.create(spec("gone", kafka));
        Broker broker = cluster.broker(1);
        try (Ledger first = new Ledger(kept, 0);
                Ledger second = new Ledger(kept, 1);
                Ledger shortened = new Ledger(limited, 0);
                Ledger lost = new Ledger(gone, 0)) {
            for (int epoch = 0; epoch < 3; epoch++) {
                first.write(120);
                second.write(60);
                shortened.write(150);
                lost.write(60);
                for (TieredTopic topic : List.of(kept, limited, gone)) {
                    topic.awaitTiered(0);
                }
                broker.kill();
                broker.start();
                cluster.awaitUp(broker);
            }
            // Before the catalogue has begun after a restart, Kafka deletes a topic and leaves its remote segments.
            lost.write(60);
            gone.awaitTiered(0);
            gone.delete();
            Awaitility.await("the deleted topic to leave the remote tier")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> gone.remoteSegments(0).isEmpty());
            limited.await(0, "shortened", now -> now.start() > 0);
        }
    }

    /** Kafka 4.0 knows small segments by another name. */
    private static TopicSpec spec(String name, KafkaDistribution kafka) {
        TopicSpec spec = TopicSpec.named(name, 1);
        if (!kafka.version().startsWith("4.0.")) {
            return spec;
        }
        Map<String, String> config = new HashMap<>(spec.config());
        config.put("segment.bytes", config.remove("internal.segment.bytes"));
        return new TopicSpec(spec.name(), spec.replicas(), config);
    }

    private static List<String> dump(TestCluster cluster) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", cluster.bootstrapServers());
        config.put("key.deserializer", ByteArrayDeserializer.class);
        config.put("value.deserializer", ByteArrayDeserializer.class);
        List<TopicPartition> partitions = new ArrayList<>();
        for (int partition = 0; partition < METADATA_PARTITIONS; partition++) {
            partitions.add(new TopicPartition(TOPIC, partition));
        }
        List<String> lines = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config)) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.key() != null) {
                        throw new IllegalStateException("a record with a key, which this format does not keep");
                    }
                    lines.add(record.partition() + " " + record.offset() + " " + record.timestamp() + " "
                            + Base64.getEncoder().encodeToString(record.value()));
                }
            }
        }
        return lines;
    }
}
