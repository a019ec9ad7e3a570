package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that has tiered with Kafka's default moves to the catalogue while nothing is copied, goes back, and moves again. */
abstract class MigrationScenarios {

    private final Supplier<CatalogueServer> store;

    @TempDir
    private Path directory;

    MigrationScenarios(Supplier<CatalogueServer> store) {
        this.store = store;
    }

    @Test
    void intoTheCatalogueBackAndInAgain() {
        try (CatalogueServer catalogue = store.get();
                TestCluster cluster = TestCluster.builder().start()) {
            try {
                new Move(catalogue, cluster).run();
            } catch (RuntimeException | AssertionError e) {
                cluster.printLogs(System.err);
                throw e;
            }
        }
    }

    private final class Move {

        private final CatalogueServer catalogue;
        private final TestCluster cluster;
        private final ShelfmarkCommand tool;
        private final TieredTopic history;
        private final TieredTopic limited;

        Move(CatalogueServer catalogue, TestCluster cluster) {
            this.catalogue = catalogue;
            this.cluster = cluster;
            this.tool = ShelfmarkCommand.in(directory, catalogue.ownerSettings(), cluster.bootstrapServers());
            this.history = cluster.create(TopicSpec.named("history", 1));
            this.limited = cluster.create(TopicSpec.named("limited", 1)
                    .with("retention.bytes", Integer.toString(6 * TopicSpec.SEGMENT_BYTES)));
        }

        void run() {
            try (Ledger ledger = new Ledger(history, 0);
                    Ledger shortened = new Ledger(limited, 0)) {
                write(ledger, shortened);
                TieredTopic gone = cluster.create(TopicSpec.named("gone", 1));
                try (Ledger lost = new Ledger(gone, 0)) {
                    lost.write(300);
                    gone.awaitTiered(0);
                }
                gone.delete();
                TwoBrokers.eventually(
                        "the deleted topic to leave the remote tier",
                        () -> assertThat(gone.remoteSegments(0)).isEmpty());

                Result rehearsal = succeeds("import", "--dry-run");
                assertThat(rehearsal.output()).contains("history", "nothing was written");
                succeeds("import");
                write(ledger, shortened);
                assertThat(tool.run("verify").exit())
                        .as("the import is behind, and verify sees it")
                        .isEqualTo(1);
                bringIn();
                aStrangerIsFound();
                ready();
                restartWith(catalogue.brokerProperties());
                everythingIsThere(ledger, shortened);
                Set<String> before = history.remoteSegments(0);
                write(ledger, shortened);
                assertThat(history.remoteSegments(0)).containsAll(before).hasSizeGreaterThan(before.size());

                Result export = succeeds("export");
                assertThat(export.output()).contains("the topic holds what the catalogue holds");
                restartWith(TestCluster.KAFKAS_CATALOGUE);
                everythingIsThere(ledger, shortened);
                write(ledger, shortened);
                everythingIsThere(ledger, shortened);

                tool.withoutBrokers("state", "set", cluster.clusterId(), "importing", "--yes", "--note", "again");
                bringIn();
                ready();
                restartWith(catalogue.brokerProperties());
                everythingIsThere(ledger, shortened);
            }
        }

        /** A partition that the topic does not know; an auditor's login is enough to see it. */
        private void aStrangerIsFound() {
            ShelfmarkCommand auditor = ShelfmarkCommand.in(
                    directory.resolve("auditor"), catalogue.auditorSettings(), cluster.bootstrapServers());
            TopicIdPartition stranger = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("stranger", 3));
            UUID segment = UUID.randomUUID();
            catalogue.write(
                    cluster.clusterId(),
                    stranger,
                    List.of(Events.added(segment, 0, 9), Events.updated(segment, SegmentState.COPY_SEGMENT_FINISHED)));
            Result found = auditor.run("verify", "--output", "csv");
            assertThat(found.exit()).as(found.output()).isEqualTo(1);
            assertThat(found.output())
                    .contains(
                            "PARTITION,stranger," + stranger.topicId() + ",3,events,none,1 segments", "1 differences");

            List<MetadataEvent> deletion = new ArrayList<>(List.of(
                    Events.updated(segment, SegmentState.DELETE_SEGMENT_STARTED),
                    Events.updated(segment, SegmentState.DELETE_SEGMENT_FINISHED)));
            for (PartitionDeletion next : List.of(
                    PartitionDeletion.DELETE_PARTITION_MARKED,
                    PartitionDeletion.DELETE_PARTITION_STARTED,
                    PartitionDeletion.DELETE_PARTITION_FINISHED)) {
                deletion.add(new MetadataEvent.DeletePartition(next, 1, 1));
            }
            catalogue.write(cluster.clusterId(), stranger, deletion);
            Result deleted = auditor.run("verify");
            assertThat(deleted.exit()).as(deleted.output()).isZero();
        }

        private void write(Ledger ledger, Ledger shortened) {
            ledger.write(500);
            shortened.write(500);
            history.awaitTiered(0);
            TierOffsets end = limited.awaitTiered(0);
            TwoBrokers.eventually(
                    "the short topic to be short",
                    () -> assertThat(limited.remoteSegments(0)).hasSizeBetween(3, 8));
            limited.await(0, "shortened", now -> now.start() > 0 && now.end() == end.end());
        }

        private void bringIn() {
            succeeds("import");
            Result verified = succeeds("verify");
            assertThat(verified.output()).contains("OK: ");
        }

        private void ready() {
            tool.withoutBrokers("state", "set", cluster.clusterId(), "ready", "--yes", "--note", "verified");
        }

        private void restartWith(Map<String, String> properties) {
            Broker broker = cluster.broker(1);
            broker.stop();
            broker.useCatalogue(properties);
            broker.start();
            cluster.awaitUp(broker);
        }

        private void everythingIsThere(Ledger ledger, Ledger shortened) {
            assertThat(history.offsets(0).start()).isZero();
            long end = history.offsets(0).end();
            assertThat(ledger.verify().records()).isEqualTo((int) end);
            long start = limited.offsets(0).start();
            assertThat(shortened.verify(start, "read_uncommitted").records())
                    .isEqualTo((int) (limited.offsets(0).end() - start));
        }

        private Result succeeds(String... arguments) {
            Result result = tool.run(arguments);
            assertThat(result.exit()).as(result.output()).isZero();
            return result;
        }
    }
}
