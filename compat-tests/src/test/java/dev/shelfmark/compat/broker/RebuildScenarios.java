package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * A cluster of two real brokers whose catalogue is lost or goes back, and what an operator does about it, by the commands of docs/restore.md. The
 * same cluster goes through one disaster after another.
 */
final class RebuildScenarios implements AutoCloseable {

    private static final int RECORDS = 40_000;
    private static final int MORE = 3_000;
    private static final String SEGMENT_BYTES = "32768";
    private static final String GROUP = "a-group";
    private static final String OTHER_CATALOGUE = "but this broker has worked with";
    private static final String WENT_BACK = "the database went back";

    private final CatalogueServer catalogue;
    private final TestCluster cluster;
    private final ShelfmarkCommand shelfmark;
    private final List<String> layout;
    private final TieredTopic kept;
    private final TieredTopic expiring;
    private final Ledger ledger;
    private final Ledger passing;
    private int rounds;

    /**
     * Starts the cluster and fills it.
     *
     * @param storageManager the brokers' RemoteStorageManager
     * @param layout the options that name its layout
     */
    RebuildScenarios(CatalogueServer catalogue, Class<?> storageManager, String... layout) {
        this.catalogue = catalogue;
        this.layout = List.of(layout);
        this.cluster = TestCluster.builder()
                .brokers(2)
                .catalogue(catalogue.brokerProperties())
                .brokerConfig("remote.log.storage.manager.class.name", storageManager.getName())
                .startAfter(catalogue::register);
        this.shelfmark = ShelfmarkCommand.in(
                cluster.directory().resolve("tool"), catalogue.ownerSettings(), cluster.bootstrapServers());
        this.kept = cluster.create(TopicSpec.named("kept", 1, 2).with("internal.segment.bytes", SEGMENT_BYTES));
        this.expiring = cluster.create(TopicSpec.named("expiring-topic", 2, 1).with("retention.bytes", "60000"));
        this.ledger = new Ledger(kept, 0);
        this.passing = new Ledger(expiring, 0);
        fill();
    }

    /** Several leader epochs, transactions that were aborted, and a topic of which retention has deleted. */
    private void fill() {
        ledger.write(RECORDS / 2).commit(500).abort(500);
        kept.lead(0, 2, List.of(2, 1));
        ledger.write(RECORDS / 2).abort(200).commit(200);
        kept.lead(0, 1, List.of(1, 2));
        ledger.write(MORE);
        passing.write(MORE);
        kept.awaitTiered(0);
        expiring.await(0, "deleted from", now -> now.start() > 0);
        expiring.awaitTiered(0);
        commit(kept, 17);
        System.err.println("filled: " + kept.offsets(0) + " and " + expiring.offsets(0));
    }

    private void commit(TieredTopic topic, long offset) {
        Kafka.answer(
                cluster.admin()
                        .alterConsumerGroupOffsets(GROUP, Map.of(topic.partition(0), new OffsetAndMetadata(offset)))
                        .all(),
                "committing an offset");
    }

    String clusterId() {
        return cluster.clusterId();
    }

    TestCluster cluster() {
        return cluster;
    }

    /** More records, which are tiered and of which retention deletes, such as after a backup. */
    void workOn() {
        long start = expiring.offsets(0).start();
        ledger.write(MORE);
        passing.write(MORE);
        expiring.await(0, "deleted from", now -> now.start() > start);
        kept.awaitTiered(0);
        expiring.awaitTiered(0);
    }

    /** Both brokers have said why they answer nothing, with both values and what to run. */
    void awaitRefusal(boolean wentBack) {
        rounds++;
        for (Broker broker : cluster.brokers()) {
            TwoBrokers.eventually(
                    broker + " to refuse the catalogue",
                    () -> assertThat(broker.logLines("shelfmark state accept-restored"))
                            .anySatisfy(line -> assertThat(line)
                                    .contains(wentBack ? WENT_BACK : OTHER_CATALOGUE)
                                    .contains("shelfmark rebuild", "shelfmark state set CLUSTER restoring")));
        }
    }

    /** The commands of the page, then everything that must hold. */
    void restore(boolean setRestoring) {
        TierOffsets keptBefore = kept.offsets(0);
        TierOffsets expiringBefore = expiring.offsets(0);
        if (setRestoring) {
            ok("state", "set", clusterId(), "restoring", "--yes", "--note", "a backup came back");
        }
        String dry = rebuild(
                "--dry-run",
                "--plan",
                cluster.directory().resolve("plan-" + rounds).toString());
        assertThat(dry).contains("would bring in");
        System.err.println(dry);
        String done = rebuild();
        System.err.println(done);
        assertThat(rebuild()).as("a second run").contains("nothing was changed: brought in 0 of");
        if (!setRestoring) {
            // A backup still has what retention has deleted since; the brokers delete that again once they are ready.
            ShelfmarkCommand.Result check = shelfmark.run("check");
            assertThat(check.exit()).as(check.output()).isZero();
        }
        assertThat(ok("state", "accept-restored", clusterId(), "--yes")).contains("accepted");
        ok("state", "set", clusterId(), "ready", "--yes", "--note", "reconciled");

        assertThat(ledger.verifyCommitted().records()).isEqualTo(ledger.size());
        passing.verify(expiring.offsets(0).start(), "read_uncommitted");
        assertThat(kept.offsets(0).start())
                .as("log start offset")
                .isEqualTo(keptBefore.start())
                .isZero();
        assertThat(expiring.offsets(0).start()).as("log start offset").isEqualTo(expiringBefore.start());
        assertThat(committed()).as("the consumer group's offset").isEqualTo(17);
        workOn();
        assertThat(ledger.verifyCommitted().records()).isEqualTo(ledger.size());
        passing.verify(expiring.offsets(0).start(), "read_uncommitted");
        assertSilent();
    }

    private long committed() {
        var offsets = Kafka.answer(
                cluster.admin().listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata(), "offsets");
        return Objects.requireNonNull(offsets.get(kept.partition(0)), GROUP).offset();
    }

    private String rebuild(String... more) {
        List<String> command = new ArrayList<>(List.of("rebuild"));
        command.addAll(List.of("--directory", cluster.remoteTier().directory().toString()));
        command.addAll(layout);
        command.addAll(Arrays.asList(more));
        ShelfmarkCommand.Result result = shelfmark.run(command.toArray(String[]::new));
        assertThat(result.exit()).as(result.output()).isZero();
        return result.output();
    }

    private String ok(String... command) {
        return shelfmark.withoutBrokers(command);
    }

    /** {@code check} and {@code orphans} find nothing, once what is deleted is gone. */
    private void assertSilent() {
        TwoBrokers.eventually("check and orphans to be silent", () -> {
            ShelfmarkCommand.Result check = shelfmark.run("check");
            assertThat(check.exit()).as(check.output()).isZero();
            ShelfmarkCommand.Result orphans = shelfmark.ask(
                    "orphans",
                    "--listing",
                    listing().toString(),
                    "--listed-at",
                    Instant.now().toString(),
                    "--layout",
                    layout.get(1),
                    "--age",
                    "1s");
            assertThat(orphans.exit()).as(orphans.output()).isZero();
        });
    }

    private Path listing() throws IOException {
        Path root = cluster.remoteTier().directory();
        List<String> lines = new ArrayList<>(List.of("key,size,lastModified"));
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                line(root, file).ifPresent(lines::add);
            }
        }
        return Files.write(cluster.directory().resolve("listing.csv"), lines);
    }

    private static Optional<String> line(Path root, Path file) {
        try {
            return Optional.of(root.relativize(file) + "," + Files.size(file) + ","
                    + Files.getLastModifiedTime(file).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The schema, and nothing in it. */
    void prepareEmpty() {
        ok("upgrade-schema");
    }

    void stopBrokers() {
        cluster.brokers().forEach(Broker::stop);
    }

    void startBrokers() {
        cluster.brokers().forEach(Broker::start);
        cluster.brokers().forEach(cluster::awaitUp);
        kept.awaitInSync(0, Set.of(1, 2));
        expiring.awaitInSync(0, Set.of(1, 2));
    }

    /** Prints what the brokers said when a test fails. */
    void run(Runnable test) {
        try {
            test.run();
        } catch (RuntimeException | AssertionError e) {
            cluster.printLogs(System.err);
            throw e;
        }
    }

    /** For a store's own tools. */
    Map<String, String> ownerSettings() {
        return new HashMap<>(catalogue.ownerSettings());
    }

    @Override
    public void close() {
        ledger.close();
        passing.close();
        cluster.close();
        catalogue.close();
    }
}
