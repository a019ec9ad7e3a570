package dev.shelfmark.tool.migrate.exporting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Known;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Pass;
import dev.shelfmark.tool.migrate.importing.ImportFixture;
import dev.shelfmark.tool.migrate.importing.RandomHistory;
import dev.shelfmark.tool.migrate.verify.Difference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of an export of any catalogue into any topic that is behind it. */
class CatalogueExportTest {

    private static final int EVENTS = 400;
    private static final int METADATA_PARTITIONS = 3;

    @TempDir
    private Path directory = Path.of("");

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("shelfmark.seeds", 12));
    }

    /** A catalogue that has seen a whole history, and a topic that has only its beginning. */
    private final class Behind {
        final MemoryBrokers topic = new MemoryBrokers(ImportFixture.CLUSTER, METADATA_PARTITIONS);
        final RandomHistory history;
        final ImportFixture catalogue;
        final List<Difference> differences = new ArrayList<>();

        Behind(long seed, int inTopic) {
            MemoryBrokers all = new MemoryBrokers(ImportFixture.CLUSTER, METADATA_PARTITIONS);
            history = new RandomHistory(seed, all, 3, 2);
            history.write(inTopic);
            for (MetadataRecord record : all.records()) {
                topic.write(record.partition(), record.value());
            }
            history.withoutRepeatedAdds().write(EVENTS - inTopic);
            catalogue = new ImportFixture(all, directory);
            catalogue.runAll(EVENTS);
        }

        MetadataTopic now() {
            return topic.upTo(Long.MAX_VALUE);
        }

        Pass pass(Known known) {
            return pass(known, new TopicSink(topic.writer()));
        }

        Pass pass(Known known, EventSink sink) {
            differences.clear();
            try (MetadataReader reader = topic.reader();
                    sink) {
                return new CatalogueExport(
                                catalogue.store,
                                ImportFixture.CLUSTER,
                                known,
                                sink,
                                new Silent(),
                                () -> false,
                                differences::add)
                        .pass(now(), reader);
            }
        }

        /** As after an import of all that the topic has. */
        Known known() {
            Map<Integer, Checkpoint> imported = new HashMap<>();
            now().partitions()
                    .forEach(offsets -> imported.put(
                            offsets.partition(), new Checkpoint(now().id().toString(), offsets.end(), "")));
            return known(imported);
        }

        Known known(Map<Integer, Checkpoint> imported) {
            List<PartitionKey> keys = new ArrayList<>();
            Map<UUID, String> names = new HashMap<>();
            for (TopicIdPartition partition : history.partitions()) {
                keys.add(KafkaMapping.key(ImportFixture.CLUSTER, partition));
                names.put(KafkaMapping.uuid(partition.topicId()), partition.topic());
            }
            return new Known(() -> keys, names, imported, false);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void kafkasCacheOfAnEmptyTopicThenAnswersAsTheCatalogue(long seed) {
        assertCatchesUp(new Behind(seed, 0));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void kafkasCacheOfATopicThatIsBehindThenAnswersAsTheCatalogue(long seed) {
        assertCatchesUp(new Behind(seed, 1 + new Random(seed).nextInt(EVENTS - 1)));
    }

    private static void assertCatchesUp(Behind behind) {
        Known known = behind.known();
        Pass first = behind.pass(known);
        Pass second = behind.pass(known);

        assertThat(second.complete()).as("nothing was left to write").isTrue();
        assertThat(second.events() + first.events()).isPositive();
        assertThat(second.questions()).isPositive();
        assertThat(behind.differences)
                .filteredOn(difference -> !difference.kind().expected())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void killedAnywhereTheNextRunGoesOn(long seed) {
        Behind behind = new Behind(seed, EVENTS / 2);
        Random random = new Random(seed);
        long kills = 0;
        while (killedAfter(behind, behind.known(), 1 + random.nextInt(20))) {
            kills++;
        }
        assertThat(kills).isPositive();
        Pass proof = behind.pass(behind.known());

        assertThat(proof.complete()).isTrue();
        assertThat(behind.differences)
                .filteredOn(difference -> !difference.kind().expected())
                .isEmpty();
    }

    /** What a run has written is not imported before the next, as it is when nobody runs an import in between. */
    @ParameterizedTest
    @MethodSource("seeds")
    void killedAfterEachEventTheNextRunGoesOnWithoutAnImportBetween(long seed) {
        Behind behind = new Behind(seed, EVENTS / 2);
        Known asImported = behind.known();
        long kills = 0;
        while (killedAfter(behind, asImported, 1)) {
            kills++;
        }
        assertThat(kills).isPositive();
        Pass proof = behind.pass(asImported);

        assertThat(proof.complete()).isTrue();
        assertThat(behind.differences)
                .filteredOn(difference -> !difference.kind().expected())
                .isEmpty();
    }

    private static final class Killed extends RuntimeException {}

    /** Whether the export still had something to write when it was killed after so many events. */
    private static boolean killedAfter(Behind behind, Known known, int events) {
        TopicSink topic = new TopicSink(behind.topic.writer());
        EventSink fragile = new EventSink() {
            private int left = events;

            @Override
            public void write(int metadataPartition, RemoteLogMetadata event) {
                if (left-- == 0) {
                    throw new Killed();
                }
                topic.write(metadataPartition, event);
            }

            @Override
            public void flush() {
                topic.flush();
            }

            @Override
            public void close() {
                topic.close();
            }
        };
        try {
            behind.pass(known, fragile);
            return false;
        } catch (Killed e) {
            return true;
        }
    }

    @Test
    void refusesASegmentThatWasWrittenAfterTheImport() {
        Behind behind = new Behind(3, EVENTS / 2);
        Known asImported = behind.known();
        TopicIdPartition partition = behind.history.partitions().get(0);
        behind.topic.write(added(partition));

        assertThatThrownBy(() -> behind.pass(asImported))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining(partition.toString())
                .hasMessageContaining("never heard");
    }

    @Test
    void refusesPartitionsOfWhichTheCatalogueKnowsNothing() {
        Behind behind = new Behind(4, EVENTS / 2);
        TopicIdPartition stranger = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("written-since", 0));
        behind.topic.write(added(stranger));

        assertThatThrownBy(() -> behind.pass(behind.known()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("written-since")
                .hasMessageContaining("knows nothing");
    }

    private static RemoteLogSegmentMetadata added(TopicIdPartition partition) {
        RemoteLogSegmentId id = new RemoteLogSegmentId(partition, Uuid.randomUuid());
        return new RemoteLogSegmentMetadata(id, 5, 9, 0, 1, 0, 100, Map.of(7, 5L));
    }

    private static final class Silent implements ProgressListener {
        @Override
        public void begins(long records) {}

        @Override
        public void read(long records) {}

        @Override
        public void caughtUp() {}

        @Override
        public void behind(long records) {}

        @Override
        public void retries(String reason) {}
    }
}
