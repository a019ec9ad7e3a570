package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
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
            this.tool = new ShelfmarkCommand(directory, catalogue.ownerSettings());
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

                Result rehearsal = with("import", "--dry-run").succeeded();
                assertThat(rehearsal.output()).contains("history", "nothing was written");
                with("import").succeeded();
                write(ledger, shortened);
                assertThat(with("verify").exit())
                        .as("the import is behind, and verify sees it")
                        .isEqualTo(1);
                bringIn();
                ready();
                restartWith(catalogue.brokerProperties());
                everythingIsThere(ledger, shortened);
                Set<String> before = history.remoteSegments(0);
                write(ledger, shortened);
                assertThat(history.remoteSegments(0)).containsAll(before).hasSizeGreaterThan(before.size());

                Result export = with("export").succeeded();
                assertThat(export.output()).contains("the topic says all that the catalogue says");
                restartWith(TestCluster.KAFKAS_CATALOGUE);
                everythingIsThere(ledger, shortened);
                write(ledger, shortened);
                everythingIsThere(ledger, shortened);

                tool.run("state", "set", cluster.clusterId(), "importing", "--yes", "--note", "again")
                        .succeeded();
                bringIn();
                ready();
                restartWith(catalogue.brokerProperties());
                everythingIsThere(ledger, shortened);
            }
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
            with("import").succeeded();
            Result verified = with("verify").succeeded();
            assertThat(verified.output()).contains("the same: ");
        }

        private void ready() {
            tool.run("state", "set", cluster.clusterId(), "ready", "--yes", "--note", "verified")
                    .succeeded();
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

        private Result with(String command, String... more) {
            List<String> arguments = new ArrayList<>(List.of(command));
            arguments.add("--bootstrap-server");
            arguments.add(cluster.bootstrapServers());
            arguments.addAll(List.of(more));
            return tool.run(arguments.toArray(String[]::new));
        }
    }
}
