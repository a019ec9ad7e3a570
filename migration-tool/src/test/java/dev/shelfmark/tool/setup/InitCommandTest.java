package dev.shelfmark.tool.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.storage.SmallS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {

    private final Shell shell;

    InitCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
    }

    @Test
    void preparesTheSchemaAndRegistersANewCluster() {
        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092");

        assertThat(result.exit()).isZero();
        assertThat(result.out())
                .contains("V1 segments", "the schema is at version 2", "there is no topic __remote_log_metadata")
                .contains("cluster " + Shell.CLUSTER + " is registered as ready");
        assertThat(shell.provider.database.clusters())
                .containsExactly(new ClusterRecord(
                        Shell.CLUSTER,
                        ClusterState.READY,
                        1,
                        Shell.NOW,
                        "ada",
                        "registered as new; checked: there is no topic __remote_log_metadata"));
    }

    @Test
    void twiceIsHarmless() {
        shell.runConfigured("init", "--bootstrap-server", "broker:9092");
        List<ClusterRecord> before = shell.provider.database.clusters();

        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("already registered as ready", "policy of a broker");
        assertThat(shell.provider.database.clusters()).isEqualTo(before);
    }

    @Test
    void refusesAClusterWithHistory() {
        shell.brokers.described = Optional.of(topic(new Offsets(0, 0, 40), new Offsets(1, 3, 5)));

        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("__remote_log_metadata holds 42 records in 2 partitions", "shelfmark import");
        assertThat(shell.provider.database.clusters()).isEmpty();
    }

    @Test
    void refusesAClusterWhoseHistoryWasRemoved() {
        shell.brokers.described = Optional.of(topic(new Offsets(0, 7, 7)));

        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("held 7 records");
        assertThat(shell.provider.database.clusters()).isEmpty();
    }

    @Test
    void aRegistrationWhoseAnswerIsLostIsReadBack() {
        shell.provider.losesNextAnswer = true;

        Result result = shell.runConfigured("init", "--cluster-id", "c1", "--no-broker-check");

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("cluster c1 is registered as ready");
    }

    @Test
    void anEmptyMetadataTopicIsNoHistory() {
        shell.brokers.described = Optional.of(topic(new Offsets(0, 0, 0)));

        assertThat(shell.runConfigured("init", "--bootstrap-server", "broker:9092")
                        .exit())
                .isZero();
    }

    @Test
    void givesHistoryUpWhenToldSo() {
        shell.brokers.described = Optional.of(topic(new Offsets(0, 0, 1)));

        String[] unconfirmed = {"init", "--bootstrap-server", "broker:9092", "--new-although-metadata-exists"};

        Result refused = shell.runConfigured(unconfirmed);
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.out()).contains("lost to cluster " + Shell.CLUSTER, "holds 1 records");
        assertThat(refused.err()).contains("--yes-lose-history-of " + Shell.CLUSTER);
        assertThat(shell.provider.schemaVersion).isZero();

        String[] confirmed = Arrays.copyOf(unconfirmed, unconfirmed.length + 2);
        confirmed[unconfirmed.length] = "--yes-lose-history-of";
        confirmed[unconfirmed.length + 1] = "another-cluster";
        assertThat(shell.runConfigured(confirmed).exit()).isNotZero();
        assertThat(shell.provider.database.clusters()).isEmpty();

        confirmed[unconfirmed.length + 1] = Shell.CLUSTER;
        assertThat(shell.runConfigured(confirmed).exit()).isZero();
        assertThat(shell.provider.database.clusters().get(0).note()).contains("given up", "holds 1 records");
    }

    @Test
    void refusesWhileAListingHoldsSegments(@TempDir Path directory) throws IOException {
        Path listing = Files.writeString(directory.resolve("listing.txt"), """
                2026-05-01 10:00:00 100 orders-MWJ6FHTfRYy67jzwZdeqSQ/7/00000000000000001234-tqimKeZwStOEOwRzT3L5oQ.log
                2026-05-01 10:00:00  20 orders-MWJ6FHTfRYy67jzwZdeqSQ/7/00000000000000001234-tqimKeZwStOEOwRzT3L5oQ.indexes
                2026-05-01 10:00:00   5 something-else.txt
                """);
        String[] command = {"init", "--cluster-id", "c1", "--no-broker-check", "--listing", listing.toString()};
        refused(command, "1 segments of 1 topics, 120 bytes");
        assertThat(runWith(command, "--prefix", "of-another-cluster/").exit()).isZero();
        assertThat(shell.runConfigured(command).out())
                .as("a cluster that is registered already")
                .contains("already registered as ready");
    }

    @Test
    void refusesWhileTheDirectoryHoldsSegmentsOfAnyKnownLayout(@TempDir Path directory) throws IOException {
        Path partition = Files.createDirectories(directory.resolve("MWJ6FHTfRYy67jzwZdeqSQ/7/tqimKeZwStOEOwRzT3L5oQ"));
        Path log = Files.writeString(partition.resolve("segment"), "12345");
        String[] command = {"init", "--cluster-id", "c1", "--no-broker-check", "--directory", directory.toString()};
        refused(command, "1 segments of 1 topics, 5 bytes");
        assertThat(runWith(command, "--layout", "unheard-of").err()).contains("there is no layout 'unheard-of'");
        Files.delete(log);
        assertThat(shell.runConfigured(command).exit()).isZero();
    }

    @Test
    void refusesWhileTheBucketHoldsSegments() {
        System.setProperty("aws.accessKeyId", "AKIDTEST");
        System.setProperty("aws.secretAccessKey", "of-no-worth");
        try (SmallS3 s3 = new SmallS3()) {
            String key = "orders-MWJ6FHTfRYy67jzwZdeqSQ/7/00000000000000001234-tqimKeZwStOEOwRzT3L5oQ.rsm-manifest";
            s3.objects.put(key, new SmallS3.Entry(7, Shell.NOW));
            String[] command = {
                "init",
                "--cluster-id",
                "c1",
                "--no-broker-check",
                "--bucket",
                "bucket",
                "--s3-region",
                "eu-central-1",
                "--s3-endpoint",
                s3.endpoint().toString()
            };
            refused(command, "1 segments of 1 topics, 7 bytes");
            s3.denying = true;
            refused(command, "s3:ListBucket");
            s3.denying = false;
            s3.objects.clear();
            assertThat(shell.runConfigured(command).exit()).isZero();
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    private Result runWith(String[] command, String... more) {
        String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return shell.runConfigured(all);
    }

    private void refused(String[] command, String why) {
        Result refused = shell.runConfigured(command);
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains(why);
        assertThat(shell.provider.schemaVersion).as("nothing was changed").isZero();
    }

    @Test
    void withoutBrokersTheOperatorVouches() {
        Result unsure = shell.runConfigured("init", "--cluster-id", "c1");
        assertThat(unsure.exit()).isEqualTo(2);
        assertThat(unsure.err()).contains("--no-broker-check");
        assertThat(shell.provider.schemaVersion).isZero();

        Result sure = shell.runConfigured("init", "--cluster-id", "c1", "--no-broker-check");
        assertThat(sure.exit()).isZero();
        assertThat(sure.out()).contains("no broker was asked", "cluster c1 is registered as ready");
    }

    @Test
    void aDifferentClusterIsRefused() {
        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092", "--cluster-id", "other");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains(Shell.CLUSTER, "not other");
        assertThat(shell.provider.schemaVersion).isZero();
    }

    @Test
    void aClusterThatIsBeingImportedIsNotNew() {
        shell.provider.schemaVersion = 2;
        shell.provider.database.putCluster(
                new ClusterRecord(Shell.CLUSTER, ClusterState.IMPORTING, 1, Shell.NOW, "bob", ""));

        Result result = shell.runConfigured("init", "--bootstrap-server", "broker:9092");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("registered as importing", "by bob");
        assertThat(shell.provider.database.clusters().get(0).state()).isEqualTo(ClusterState.IMPORTING);
    }

    @Test
    void brokersThatAreAwayRegisterNothing() {
        shell.brokers.away = true;

        Result result = shell.runConfigured("init", "--bootstrap-server", "nowhere:1");

        assertThat(result.exit()).isEqualTo(4);
        assertThat(shell.provider.schemaVersion).isZero();
    }

    private static MetadataTopic topic(Offsets... offsets) {
        return new MetadataTopic(Uuid.randomUuid(), List.of(offsets), -1, -1, "delete");
    }
}
