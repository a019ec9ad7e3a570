package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The audit beside real brokers, with a much shorter patience than anybody should have: nothing is reported while they copy, delete, lose topics and
 * change leaders, and afterwards each fault that is planted is found, and nothing else.
 */
abstract class AuditScenarios {

    private static final Duration AGE = Duration.ofSeconds(15);
    private static final int LOOKS = 4;
    private static final Duration LONG_AGO = Duration.ofDays(30);

    private final Supplier<CatalogueServer> store;

    @TempDir
    private Path directory;

    AuditScenarios(Supplier<CatalogueServer> store) {
        this.store = store;
    }

    @Test
    void findsWhatIsPlantedAndNothingElse() {
        try (CatalogueServer catalogue = store.get();
                TestCluster cluster = TestCluster.builder()
                        .brokers(2)
                        .catalogue(catalogue.brokerProperties())
                        .startAfter(catalogue::register)) {
            try {
                new Audit(catalogue, cluster).run();
            } catch (RuntimeException | AssertionError e) {
                cluster.printLogs(System.err);
                throw e;
            }
        }
    }

    private final class Audit {

        private final CatalogueServer catalogue;
        private final TestCluster cluster;
        private final ShelfmarkCommand auditor;
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();

        Audit(CatalogueServer catalogue, TestCluster cluster) {
            this.catalogue = catalogue;
            this.cluster = cluster;
            this.auditor = ShelfmarkCommand.in(directory, catalogue.auditorSettings(), cluster.bootstrapServers());
        }

        void run() {
            TieredTopic kept = cluster.create(TopicSpec.named("kept", 1, 2));
            TieredTopic expiring =
                    cluster.create(TopicSpec.named("expiring", 2, 1).with("retention.bytes", "60000"));
            ExecutorService looking = Executors.newSingleThreadExecutor();
            Future<?> looker = looking.submit(this::lookAgainAndAgain);
            try (Traffic first = new Traffic(kept, false);
                    Traffic second = new Traffic(expiring, false)) {
                while (looks.get() < LOOKS && !looker.isDone()) {
                    work(kept, expiring);
                }
                first.stop();
                second.stop();
            } finally {
                over.set(true);
                looking.shutdown();
            }
            assertThat(found(looker)).as("looks while brokers worked").isGreaterThanOrEqualTo(LOOKS);

            // Nothing is in flight any more.
            kept.awaitTiered(0);
            expiring.awaitTiered(0);
            pause(AGE.plusSeconds(5));
            nothingIsWrong();

            plantInTheStorage(kept, expiring);
            plantInTheCatalogue();
        }

        private void work(TieredTopic kept, TieredTopic expiring) {
            TieredTopic gone = cluster.create(TopicSpec.named("gone-" + rounds.incrementAndGet(), 1, 2));
            try (Ledger lost = new Ledger(gone, 0)) {
                lost.write(300);
                gone.awaitTiered(0);
            }
            lead(kept, 2, expiring, 1);
            gone.delete();
            long start = expiring.offsets(0).start();
            expiring.await(0, "deleted from", now -> now.start() > start + 100);
            TwoBrokers.eventually(
                    "the deleted topic to leave the remote tier",
                    () -> assertThat(gone.remoteSegments(0)).isEmpty());
            lead(kept, 1, expiring, 2);
        }

        private static void lead(TieredTopic one, int leader, TieredTopic other, int otherLeader) {
            one.lead(0, leader, List.of(leader, otherLeader));
            other.lead(0, otherLeader, List.of(otherLeader, leader));
        }

        private void lookAgainAndAgain() {
            while (!over.get()) {
                nothingIsWrong();
                looks.incrementAndGet();
            }
        }

        private int found(Future<?> looker) {
            try {
                looker.get(3, TimeUnit.MINUTES);
                return looks.get();
            } catch (ExecutionException e) {
                throw new AssertionError("a false alarm", e.getCause());
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("the audit did not end", e);
            }
        }

        private void nothingIsWrong() {
            assertThat(check()).isEmpty();
            assertThat(orphans()).isEmpty();
        }

        /** Without what leader changes do leave behind: uploads that their broker gave up when it lost the partition. */
        private List<String> check() {
            return rows(auditor.run(
                            "check", "--output", "csv", "--age", AGE.toSeconds() + "s", "--rows-per-second", "1000000"))
                    .stream()
                    .filter(row -> !givenUp(row.split(",", -1)))
                    .toList();
        }

        private boolean givenUp(String... row) {
            long before = Instant.now().minus(AGE).toEpochMilli();
            return List.of("kept", "expiring").contains(row[2])
                    && List.of("DANGLING_COPY", "LOG_START_NOT_READABLE").contains(row[0])
                    && catalogue.records(cluster.clusterId(), Uuid.fromString(row[3]), 0).stream()
                            .filter(record -> TextualId.of(record.segmentId()).equals(row[5]))
                            .allMatch(record -> record.state() == SegmentState.COPY_SEGMENT_STARTED
                                    && record.eventTimestampMs() < before);
        }

        private List<String> orphans() {
            Instant listedAt = Instant.now();
            return rows(auditor.ask(
                    "orphans",
                    "--listing",
                    listing().toString(),
                    "--listed-at",
                    listedAt.toString(),
                    "--layout",
                    "directory",
                    "--output",
                    "csv",
                    "--age",
                    AGE.toSeconds() + "s",
                    "--rows-per-second",
                    "1000000"));
        }

        private static List<String> rows(Result result) {
            List<String> rows = result.output()
                    .lines()
                    .filter(line -> line.matches("[A-Z_]+,.*"))
                    .toList();
            assertThat(result.exit()).as(result.output()).isEqualTo(rows.isEmpty() ? 0 : 1);
            return rows;
        }

        /** As an inventory of a bucket would have it: the files of the remote tier. */
        private Path listing() {
            Path root = cluster.remoteTier().directory();
            List<String> lines = new ArrayList<>(List.of("key,size,lastModified"));
            try (Stream<Path> files = Files.walk(root)) {
                files.flatMap(file -> line(root, file).stream()).forEach(lines::add);
                return Files.write(Files.createTempFile(directory, "listing", ".csv"), lines);
            } catch (UncheckedIOException | IOException e) {
                // A directory went away under the walk, which a bucket's listing does not mind.
                return listing();
            }
        }

        private static Optional<String> line(Path root, Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return attributes.isDirectory()
                        ? Optional.empty()
                        : Optional.of(root.relativize(file) + "," + attributes.size() + ","
                                + attributes.lastModifiedTime().toInstant());
            } catch (NoSuchFileException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void plantInTheStorage(TieredTopic kept, TieredTopic expiring) {
            Path segments = cluster.remoteTier().directory().resolve(kept.id() + "/0");
            List<String> live = kept.remoteSegments(0).stream().sorted().toList();
            String deleted = catalogue.records(cluster.clusterId(), expiring.id(), 0).stream()
                    .filter(record -> record.state() == SegmentState.DELETE_SEGMENT_FINISHED)
                    .map(record -> TextualId.of(record.segmentId()))
                    .findFirst()
                    .orElseThrow();
            String stranger = Uuid.randomUuid().toString();
            try {
                FileTrees.delete(segments.resolve(live.get(0)));
                Files.delete(segments.resolve(live.get(1)).resolve("OFFSET"));
                Files.createDirectories(segments.resolve(stranger));
                Path lost = Files.writeString(segments.resolve(stranger).resolve("segment"), "lost");
                Path back = cluster.remoteTier().directory().resolve(expiring.id() + "/0/" + deleted);
                Files.createDirectories(back);
                Path left = Files.writeString(back.resolve("TIMESTAMP"), "left");
                assertThat(orphans())
                        .as("too young to judge")
                        .map(row -> row.substring(0, row.indexOf(',')))
                        .containsExactlyInAnyOrder("ROW_WITHOUT_OBJECT", "INCOMPLETE_SEGMENT");
                FileTime hourAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
                Files.setLastModifiedTime(lost, hourAgo);
                Files.setLastModifiedTime(left, hourAgo);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            assertThat(orphans())
                    .hasSize(4)
                    .anyMatch(row -> row.matches("ROW_WITHOUT_OBJECT,.*,kept,0," + live.get(0) + ",.*"))
                    .anyMatch(row -> row.matches("INCOMPLETE_SEGMENT,.*,kept,0," + live.get(1) + ",.*OFFSET.*"))
                    .anyMatch(row ->
                            row.matches("OBJECT_WITHOUT_ROW,.*" + kept.id() + "/0/" + stranger + "/segment,4,.*"))
                    .anyMatch(row -> row.matches("OBJECT_OF_DELETED_SEGMENT,.*,expiring,0," + deleted + ",.*"));
        }

        /** Each in a topic of its own that the cluster has, but for the last. */
        private void plantInTheCatalogue() {
            plant(topic("GAP"), finished(0, 9), finished(20, 29));
            plant(topic("OVERLAP"), finished(0, 9), finished(5, 14));
            plant(topic("SUPERSEDED"), finished(0, 9), finished(0, 19));
            plant(topic("DANGLING_COPY"), finished(0, 9), List.of(Events.added(UUID.randomUUID(), 10, 19, longAgo())));
            plant(topic("DANGLING_DELETE"), finished(0, 9), in(SegmentState.DELETE_SEGMENT_STARTED, 10, 19));
            plant(
                    topic("PURGE_BACKLOG"),
                    finished(0, 9),
                    in(SegmentState.DELETE_SEGMENT_STARTED, 10, 19, SegmentState.DELETE_SEGMENT_FINISHED));
            plant(
                    new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("UNKNOWN_TOPIC", 0)),
                    finished(0, 9),
                    finished(10, 19));
            plant(topic("well"), finished(0, 9), finished(10, 19));

            List<String> found = check();
            assertThat(found)
                    .map(row -> row.split(",", -1))
                    .as(found.toString())
                    .allSatisfy(row -> assertThat(row[2]).isEqualTo(row[0]))
                    .map(row -> row[0])
                    .containsExactlyInAnyOrder(
                            "GAP",
                            "OVERLAP",
                            "SUPERSEDED",
                            "DANGLING_COPY",
                            "DANGLING_DELETE",
                            "PURGE_BACKLOG",
                            "UNKNOWN_TOPIC");
        }

        /** A topic that the brokers have and do not tier, so that they leave its catalogue alone. */
        private TopicIdPartition topic(String name) {
            var created = cluster.admin().createTopics(List.of(new NewTopic(name, 1, (short) 1)));
            Uuid id = Kafka.answer(created.topicId(name), "the id of " + name);
            return new TopicIdPartition(id, new TopicPartition(name, 0));
        }

        private void plant(TopicIdPartition partition, List<MetadataEvent> first, List<MetadataEvent> second) {
            catalogue.write(
                    cluster.clusterId(),
                    partition,
                    Stream.concat(first.stream(), second.stream()).toList());
        }

        private static List<MetadataEvent> finished(long start, long end) {
            return in(SegmentState.COPY_SEGMENT_FINISHED, start, end);
        }

        private static List<MetadataEvent> in(SegmentState state, long start, long end, SegmentState... more) {
            UUID id = UUID.randomUUID();
            List<MetadataEvent> events = new ArrayList<>(List.of(Events.added(id, start, end, longAgo())));
            if (state != SegmentState.COPY_SEGMENT_FINISHED) {
                events.add(Events.updated(id, SegmentState.COPY_SEGMENT_FINISHED, longAgo()));
            }
            events.add(Events.updated(id, state, longAgo()));
            for (SegmentState next : more) {
                events.add(Events.updated(id, next, longAgo()));
            }
            return events;
        }

        private static long longAgo() {
            return Instant.now().minus(LONG_AGO).toEpochMilli();
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
