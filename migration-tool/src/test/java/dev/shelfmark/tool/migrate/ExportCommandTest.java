package dev.shelfmark.tool.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.migrate.importing.RandomHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {

    private static final String[] BROKERS = {"--bootstrap-server", "broker:9092"};

    private final Path directory;
    private final Shell shell;

    ExportCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
        shell.provider.schemaVersion = 2;
    }

    private Result run(String command, String... more) {
        String[] all = new String[1 + BROKERS.length + more.length];
        all[0] = command;
        System.arraycopy(BROKERS, 0, all, 1, BROKERS.length);
        System.arraycopy(more, 0, all, 1 + BROKERS.length, more.length);
        return shell.runConfigured(all);
    }

    /** A catalogue with a history; the topic that it came from is lost. */
    private void imported() {
        new RandomHistory(7, shell.brokers, 2, 2).withoutRepeatedAdds().write(150);
        assertThat(run(
                                "import",
                                "--skipped-events",
                                directory.resolve("skipped").toString())
                        .exit())
                .isZero();
        ready();
    }

    private void ready() {
        assertThat(shell.runConfigured("state", "set", Shell.CLUSTER, "ready", "--yes", "--note", "test")
                        .exit())
                .isZero();
    }

    @Test
    void writesWhatIsMissingAndProvesIt() {
        imported();
        var topics = shell.brokers.topics;
        shell.brokers = new dev.shelfmark.tool.kafka.MemoryBrokers(Shell.CLUSTER, 3);
        shell.brokers.topics.putAll(topics);

        assertThat(run("export").exit()).as("there is no topic").isEqualTo(1);
        Result dry = run("export", "--dry-run", "--create-topic");
        assertThat(dry.exit()).isEqualTo(1);
        assertThat(dry.err()).contains("no topic __remote_log_metadata", "--create-topic");

        Result written = run("export", "--create-topic", "--topic-partitions", "3", "--output", "json");
        assertThat(written.err()).contains("the topic holds what the catalogue holds");
        assertThat(written.exit()).isZero();
        long records = shell.brokers.size();
        assertThat(records).isPositive();

        Result again = run("export");
        assertThat(again.exit()).isZero();
        assertThat(shell.brokers.size()).as("a repeat adds nothing").isEqualTo(records);
    }

    @Test
    void nothingIsMissingRightAfterAnImport() {
        imported();
        long records = shell.brokers.size();

        Result dry = run("export", "--dry-run");

        assertThat(dry.exit()).isZero();
        assertThat(shell.brokers.size()).isEqualTo(records);
        assertThat(run("export").exit()).isZero();
    }

    @Test
    void stopsAtARecordThatItCannotRead() {
        imported();
        shell.brokers.write(2, new byte[] {1, 99, 0});

        Result result = run("export");

        assertThat(result.exit()).as(result.err()).isEqualTo(4);
        assertThat(result.err()).contains("partition 2, offset", "can't be read");
    }

    /** Such a topic takes no record without a key; KIP-1266 makes Kafka's own one compacted. */
    @Test
    void refusesATopicThatNeedsKeys() throws IOException {
        imported();
        shell.brokers.cleanupPolicy = "compact";

        Result refused = run("export");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
                .contains("cleanup.policy=compact", "only records with keys", "remote.log.metadata.version");
    }

    @Test
    void writesAFileInsteadOfTheTopic() throws IOException {
        imported();
        var topics = shell.brokers.topics;
        shell.brokers = new dev.shelfmark.tool.kafka.MemoryBrokers(Shell.CLUSTER, 3);
        shell.brokers.topics.putAll(topics);
        shell.brokers.createMetadataTopic(3, (short) 1);
        Path file = directory.resolve("events.jsonl");

        Result result = run("export", "--file", file.toString());

        assertThat(result.exit()).isZero();
        assertThat(shell.brokers.size()).isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).isNotEmpty();
        RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
        for (String line : lines) {
            JsonNode event = new ObjectMapper().readTree(line);
            byte[] value = Base64.getDecoder().decode(event.get("value").asText());
            assertThat(serde.deserialize(value).topicIdPartition().topicId().toString())
                    .isEqualTo(event.get("topicId").asText());
            shell.brokers.write(event.get("metadataPartition").asInt(), value);
        }
        Result proof = run("export");
        assertThat(proof.err()).contains("the topic holds what the catalogue holds");
        assertThat(shell.brokers.size()).as("the file held all").isEqualTo(lines.size());

        assertThat(run("export", "--file", file.toString()).exit())
                .as("a file that is there is not overwritten")
                .isEqualTo(2);
    }

    @Test
    void refusesACatalogueThatIsNotComplete() {
        new RandomHistory(7, shell.brokers, 2, 2).write(50);
        assertThat(run("export").err()).contains("the store knows no cluster " + Shell.CLUSTER);
        assertThat(run(
                                "import",
                                "--skipped-events",
                                directory.resolve("skipped").toString())
                        .exit())
                .isZero();

        Result importing = run("export");

        assertThat(importing.exit()).isEqualTo(1);
        assertThat(importing.err()).contains("is importing", "not complete");
    }
}
