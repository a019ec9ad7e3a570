package dev.shelfmark.tool.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.Tampering;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.TopicInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {

    private static final TopicIdPartition ORDERS =
            new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("orders", 0));
    private static final TopicIdPartition GONE = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("gone", 1));

    private final Shell shell;
    private final Path directory;

    ImportCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
        shell.provider.schemaVersion = 2;
    }

    @BeforeEach
    void writeHistory() {
        for (int i = 0; i < 3; i++) {
            RemoteLogSegmentId id = add(ORDERS, i * 100L);
            finish(id);
        }
        add(ORDERS, 300);
        finish(add(GONE, 0));
        finish(new RemoteLogSegmentId(ORDERS, Uuid.randomUuid()));
        shell.brokers.topics.remove(GONE.topicId());
    }

    private RemoteLogSegmentId add(TopicIdPartition partition, long start) {
        RemoteLogSegmentId id = new RemoteLogSegmentId(partition, Uuid.randomUuid());
        shell.brokers.write(new RemoteLogSegmentMetadata(id, start, start + 99, 5, 1, 6, 7, Map.of(0, start)));
        return id;
    }

    private void finish(RemoteLogSegmentId id) {
        shell.brokers.write(new RemoteLogSegmentMetadataUpdate(
                id, 8, Optional.empty(), RemoteLogSegmentState.COPY_SEGMENT_FINISHED, 1));
    }

    private Result bringIn(String... options) {
        String[] all = new String[options.length + 5];
        all[0] = "import";
        all[1] = "--bootstrap-server";
        all[2] = "broker:9092";
        all[3] = "--skipped-events";
        all[4] = directory.resolve("skipped.jsonl").toString();
        System.arraycopy(options, 0, all, 5, options.length);
        return shell.runConfigured(all);
    }

    private Result verify() {
        return shell.runConfigured("verify", "--bootstrap-server", "broker:9092");
    }

    private void refused(Result result, String... parts) {
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("shelfmark: error: ").contains(parts);
        assertThat(shell.provider.database.clusters()).isEmpty();
    }

    @Test
    void aRegistrationWhoseAnswerIsLostIsReadBack() {
        shell.provider.losesNextAnswer = true;

        Result result = bringIn();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(shell.provider.database.clusters().get(0).state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void aClusterThatTheStoreDoesNotKnowHasNothingToCompareWith() {
        refused(verify(), "knows no cluster", "--config");
        assertThat(verify().out()).isEmpty();
    }

    @Test
    void bringsTheHistoryInAndLeavesTheClusterImporting() throws IOException {
        Path report = directory.resolve("report.json");
        Result result = bringIn("--report", report.toString());

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("orders", "gone")
                .containsPattern("1\\s+FINISHED_WITHOUT_START")
                .containsPattern("orders\\s+\\S+\\s+1\\s+8\\s+4\\s+1\\s+0\\s+0\\s+1\\s+true")
                .containsPattern("gone\\s+\\S+\\s+1\\s+2\\s+1\\s+0\\s+0\\s+0\\s+0\\s+false");
        assertThat(result.err())
                .contains("1 segments of topics that the cluster does not have")
                .contains("1 segments whose copy or deletion was never finished")
                .contains("1 skipped events are in");
        assertThat(Files.readString(directory.resolve("skipped.jsonl")))
                .contains("\"reason\":\"FINISHED_WITHOUT_START\"", "\"topic\":\"orders\"", "\"value\":\"AQE");
        assertThat(Files.readString(report)).contains("\"ending\" : \"COMPLETE\"", "\"segments\" : 5");
        assertThat(shell.provider.database.clusters())
                .extracting(ClusterRecord::state)
                .containsExactly(ClusterState.IMPORTING);
        assertThat(verify().exit()).isZero();
    }

    @Test
    void aDryRunWritesNothingAndReportsTheSame() {
        Result dry = bringIn("--dry-run");

        assertThat(dry.exit()).isZero();
        assertThat(dry.err()).contains("nothing was written");
        assertThat(shell.provider.database.clusters()).isEmpty();
        assertThat(bringIn().out()).isEqualTo(dry.out());
    }

    @Test
    void aSecondRunGoesOnWhereTheFirstEnded() {
        bringIn();
        finish(add(ORDERS, 400));

        Result again = bringIn("--output", "json");

        assertThat(again.err()).contains("an earlier import came to offset 10", "reading 2 records");
        assertThat(again.out()).contains("\"segments\" : 6");
        assertThat(verify().exit()).isZero();
    }

    @Test
    void verifyTellsWhatIsMissing() {
        bringIn();
        finish(add(ORDERS, 400));

        Result result = verify();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("BEHIND", "orders");
    }

    @Test
    void verifyTellsOfAPartitionThatOnlyTheCatalogueHas() {
        bringIn();
        TopicIdPartition stranger = partition("stranger");
        Tampering.withSegment(shell.provider.database, Shell.CLUSTER, stranger);

        Result result = verify();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out())
                .containsPattern(
                        "PARTITION\\s+stranger\\s+" + stranger.topicId() + "\\s+0\\s+events\\s+none\\s+1 segments");
        assertThat(result.err()).contains("1 differences");
    }

    @Test
    void verifyMindsHighestOffsetsOfATopicThatIsThereAndOfNoOther() {
        bringIn();
        TopicIdPartition stranger = partition("stranger");
        Tampering.withDeletedSegment(shell.provider.database, Shell.CLUSTER, stranger);
        assertThat(verify().exit()).as("its topic is gone").isZero();

        shell.brokers.topics.put(stranger.topicId(), new TopicInfo("stranger", true, -1, false));
        Result result = verify();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("PARTITION", "stranger", "highest offsets {0=1000099}");
        Tampering.deleted(shell.provider.database, Shell.CLUSTER, stranger);
        assertThat(verify().exit()).as("it is deleted as a whole").isZero();
    }

    @Test
    void onceTheClusterIsReadyNewPartitionsAreCounted() {
        bringIn();
        Tampering.withSegment(shell.provider.database, Shell.CLUSTER, partition("new"));
        shell.provider.database.putCluster(
                new ClusterRecord(Shell.CLUSTER, ClusterState.READY, 2, Shell.NOW, "eve", ""));

        Result result = verify();

        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("1 partitions are only in the catalogue");
    }

    private static TopicIdPartition partition(String topic) {
        return new TopicIdPartition(Uuid.randomUuid(), new TopicPartition(topic, 0));
    }

    @Test
    void followsUntilTheClusterIsSwitched() throws InterruptedException {
        Thread switching = new Thread(() -> {
            while (shell.provider.database.clusters().isEmpty()) {
                Thread.onSpinWait();
            }
            shell.provider.database.putCluster(
                    new ClusterRecord(Shell.CLUSTER, ClusterState.READY, 2, Shell.NOW, "eve", "now"));
        });
        switching.start();

        Result result = bringIn("--follow");

        switching.join();
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("no longer importing");
    }

    @Test
    void twoAtOnceAreRefused() {
        LoadClaim claim = shell.provider.database.claimLoad(Shell.CLUSTER, "eve", Duration.ofSeconds(60));
        assertThat(claim).isInstanceOf(LoadClaim.Granted.class);
        Thread renewing = new Thread(() -> {
            while (!Thread.interrupted()) {
                ((LoadClaim.Granted) claim).loader().renew();
                Thread.onSpinWait();
            }
        });
        shell.provider.database.putCluster(
                new ClusterRecord(Shell.CLUSTER, ClusterState.IMPORTING, 1, Shell.NOW, "eve", ""));
        renewing.start();

        Result result = bringIn();

        renewing.interrupt();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("another import of cluster", "is running, by eve");
    }

    @Test
    void whatAnotherImportBroughtInSinceTheTopicWasAskedForIsNotLost() {
        shell.brokers.onDescribed = () -> {
            shell.brokers.onDescribed = () -> {};
            finish(add(ORDERS, 400));
            assertThat(bringIn().exit()).isZero();
        };

        Result result = bringIn();

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(verify().exit()).isZero();
    }

    @Test
    void refusesATopicThatHasLostItsLastRecords() {
        bringIn();
        shell.brokers.described = Optional.of(shell.brokers.upTo(5));

        Result result = bringIn();

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("its brokers have lost records");
    }

    @Test
    void refusesWhatCannotBeWhole() {
        shell.brokers.truncate(1, 1);
        refused(bringIn(), "were removed by retention", "--accept-truncated-history");
        shell.brokers.truncate(1, 0);
        shell.brokers.retentionMs = Duration.ofHours(50).toMillis();
        refused(bringIn(), "kept only for PT50H", "retention.ms");
        assertThat(bringIn("--accept-truncated-history").exit()).isZero();
    }

    @Test
    void refusesATopicFromWhoseMiddleCompactionMayHaveTakenRecords() {
        shell.brokers.cleanupPolicy = "compact,delete";

        refused(bringIn(), "cleanup.policy=compact,delete", "--accept-truncated-history");
        Result accepted = bringIn("--accept-truncated-history");
        assertThat(accepted.exit()).isZero();
        assertThat(accepted.err()).contains("warning  ", "accepted by --accept-truncated-history");
    }

    @Test
    void aDryRunTellsThatTheImportWouldBeRefused() {
        shell.brokers.truncate(1, 1);
        Result dry = bringIn("--dry-run");
        refused(bringIn(), "were removed by retention");

        assertThat(dry.err())
                .contains("refused  ", "were removed by retention", "--accept-truncated-history")
                .doesNotContain("without --dry-run this is imported");
        assertThat(dry.exit()).isEqualTo(1);
    }

    @Test
    void refusesAClusterWithoutHistory() throws IOException {
        Shell empty = new Shell(directory);
        empty.provider.schemaVersion = 2;
        Result result = empty.runConfigured("import", "--bootstrap-server", "broker:9092");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("no topic __remote_log_metadata", "shelfmark init");
    }

    @Test
    void refusesAClusterThatIsReady() {
        shell.provider.database.putCluster(
                new ClusterRecord(Shell.CLUSTER, ClusterState.READY, 1, Shell.NOW, "eve", ""));
        Result result = bringIn();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("is ready since", "by eve");
    }

    @Test
    void refusesAnotherCluster() {
        refused(bringIn("--cluster-id", "other"), "not other");
    }

    @Test
    void needsTheSchema() {
        shell.provider.schemaVersion = 1;
        Result result = bringIn();
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err()).contains("shelfmark upgrade-schema");
    }

    @Test
    void stopsAtARecordThatItCannotRead() {
        shell.brokers.write(2, new byte[] {1, 99, 0});

        Result result = bringIn();

        assertThat(result.exit()).isEqualTo(4);
        assertThat(result.err()).contains("partition 2, offset", "can't be read");
    }

    @Test
    void refusesATopicThatWasCreatedAgain() throws IOException {
        bringIn();
        Shell other = new Shell(directory);
        other.brokers.write(2, event());

        Result result = shell.withBrokers(other.brokers, () -> bringIn());

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("read another topic");
    }

    @Test
    void refusesATopicThatWasCreatedAgainWithFewerPartitions() throws IOException {
        Shell another = new Shell(directory);
        another.provider.schemaVersion = 2;
        another.brokers.write(2, event());
        assertThat(another.runConfigured(
                                "import",
                                "--bootstrap-server",
                                "broker:9092",
                                "--skipped-events",
                                directory.resolve("skipped.jsonl").toString())
                        .exit())
                .isZero();
        MemoryBrokers fewer = new MemoryBrokers(Shell.CLUSTER, 2);
        fewer.write(1, event());

        Result result = another.withBrokers(
                fewer,
                () -> another.runConfigured(
                        "import",
                        "--bootstrap-server",
                        "broker:9092",
                        "--skipped-events",
                        directory.resolve("skipped.jsonl").toString()));

        assertThat(result.exit()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).contains("read another topic");
    }

    private static byte[] event() {
        return new RemoteLogMetadataSerde()
                .serialize(new RemoteLogSegmentMetadata(
                        new RemoteLogSegmentId(ORDERS, Uuid.randomUuid()), 0, 9, 5, 1, 6, 7, Map.of(0, 0L)));
    }
}
