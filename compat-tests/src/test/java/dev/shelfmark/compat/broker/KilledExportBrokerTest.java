package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Run;
import dev.shelfmark.store.SegmentState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An export that is killed while it writes to a real topic is finished by the next, and nothing stands there twice. */
@Tag("broker")
class KilledExportBrokerTest {

    private static final String METADATA = "__remote_log_metadata";
    private static final int SEGMENTS = 2_000;
    private static final int KILLS = 4;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void skippedAloud() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void isFinishedByTheNext() {
        try (CatalogueServer catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder().start()) {
            TieredTopic topic = cluster.create(TopicSpec.named("grown", 1));
            try (Ledger ledger = new Ledger(topic, 0)) {
                ledger.write(200);
                topic.awaitTiered(0);
            }
            ShelfmarkCommand tool =
                    ShelfmarkCommand.in(directory, catalogue.ownerSettings(), cluster.bootstrapServers());
            assertThat(tool.run("import").exit()).isZero();
            assertThat(tool.run("cutover", "--offline", "--force").exit()).isZero();
            Map<String, Integer> before = reports(cluster);
            fill(catalogue, cluster, topic);

            for (int kill = 1; kill <= KILLS; kill++) {
                Run export = tool.start("export");
                long begins = records(cluster);
                Awaitility.await("the export to write")
                        .atMost(Duration.ofMinutes(1))
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> records(cluster) > begins);
                export.kill();
            }
            Result finished = tool.run("export");

            assertThat(finished.exit()).as(finished.output()).isZero();
            assertThat(finished.output()).contains("the topic holds what the catalogue holds");
            Map<String, Integer> after = reports(cluster);
            assertThat(after).hasSize(before.size() + 2 * SEGMENTS);
            assertThat(after.values()).as("each report once").allMatch(count -> count == 1);
            assertThat(tool.run("export").output()).contains("the topic holds what the catalogue holds");
            assertThat(reports(cluster)).isEqualTo(after);
        }
    }

    private static void fill(CatalogueServer catalogue, TestCluster cluster, TieredTopic topic) {
        TopicIdPartition partition = new TopicIdPartition(topic.id(), new TopicPartition("grown", 0));
        List<MetadataEvent> events = new ArrayList<>();
        for (int i = 0; i < SEGMENTS; i++) {
            UUID segment = UUID.randomUUID();
            long start = 1_000_000 + 10L * i;
            events.add(Events.added(segment, start, start + 9));
            events.add(Events.updated(segment, SegmentState.COPY_SEGMENT_FINISHED));
        }
        for (int i = 0; i < events.size(); i += 100) {
            catalogue.write(cluster.clusterId(), partition, events.subList(i, i + 100));
        }
    }

    private static List<TopicPartition> partitions() {
        return IntStream.range(0, 3)
                .mapToObj(partition -> new TopicPartition(METADATA, partition))
                .toList();
    }

    private static long records(TestCluster cluster) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        return Kafka.answer(cluster.admin().listOffsets(latest).all(), "asking for the ends").values().stream()
                .mapToLong(info -> info.offset())
                .sum();
    }

    /** How often the topic has which state of which segment. */
    private static Map<String, Integer> reports(TestCluster cluster) {
        Map<String, Integer> reports = new HashMap<>();
        RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions());
            consumer.seekToBeginning(partitions());
            long left = records(cluster);
            while (left > 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    left--;
                    reports.merge(name(serde.deserialize(record.value())), 1, Integer::sum);
                }
            }
        }
        return reports;
    }

    private static String name(RemoteLogMetadata event) {
        if (event instanceof RemoteLogSegmentMetadata added) {
            return added.remoteLogSegmentId().id() + " " + added.state();
        }
        return event instanceof RemoteLogSegmentMetadataUpdate update
                ? update.remoteLogSegmentId().id() + " " + update.state()
                : event.toString();
    }
}
