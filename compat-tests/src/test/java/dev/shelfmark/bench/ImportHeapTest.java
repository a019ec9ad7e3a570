package dev.shelfmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.ShelfmarkCommand;
import dev.shelfmark.compat.broker.TestCluster;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heap in which a short history is brought in and verified is enough for a long one, most of whose segments were deleted. {@code
 * -Dcompat.import.deleted=3000000} makes it longer; the heaps stay the same.
 */
@Tag("broker")
@Timeout(900)
final class ImportHeapTest {

    private static final int LIVE = 20_000;
    private static final int DELETED = Integer.getInteger("compat.import.deleted", 300_000);
    /** The short history fits into 56 MB; 300,000 segments that were kept would not fit beside it. */
    private static final String IMPORT_HEAP = System.getProperty("compat.import.heap", "-Xmx80m");

    private static final String VERIFY_HEAP = System.getProperty("compat.verify.heap", "-Xmx96m");

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void skip() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void theHeapDoesNotGrowWithTheHistory() throws Exception {
        try (JdbcCatalogue catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        // The broker itself keeps out of it.
                        .brokerConfig("remote.log.storage.system.enable", "false")
                        .start();
                TopicFiller topic = filler(cluster)) {
            topic.fill(new Layout("short", 1, 0, LIVE));
            bringIn(cluster, settings(catalogue, "short"), LIVE);

            topic.fill(new Layout("long", 1, DELETED, LIVE));
            bringIn(cluster, settings(catalogue, "long"), 2 * LIVE);
        }
    }

    private static TopicFiller filler(TestCluster cluster) {
        TopicFiller.create(cluster.admin());
        return TopicFiller.inBatches(cluster.bootstrapServers());
    }

    private Path settings(JdbcCatalogue catalogue, String name) throws IOException {
        Map<String, String> owner = new HashMap<>(catalogue.addEmpty(name));
        owner.remove("cluster.state.poll.ms");
        owner.put("jdbc.user", "owner");
        owner.put("jdbc.password", "owner");
        Properties settings = new Properties();
        settings.putAll(owner);
        Path file = directory.resolve(name + ".properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        return file;
    }

    private void bringIn(TestCluster cluster, Path settings, int live) throws Exception {
        String imported = run(IMPORT_HEAP, "import", settings, cluster);
        assertThat(imported).contains("everything that was there when it began is in");
        String verified = run(VERIFY_HEAP, "verify", settings, cluster);
        // Of each segment its fields and four lookups at least.
        assertThat(verified)
                .containsPattern(
                        "OK: " + String.format(java.util.Locale.ROOT, "%,d", live / LIVE) + " partitions match");
    }

    private String run(String heap, String subcommand, Path settings, TestCluster cluster) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ShelfmarkCommand.launcher().toString(),
                subcommand,
                "--config",
                settings.toString(),
                "--bootstrap-server",
                cluster.bootstrapServers()));
        Path output = Files.createTempFile(directory, subcommand, ".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SHELFMARK_JAVA_OPTS", heap + " -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError");
        long began = System.nanoTime();
        Process process = builder.start();
        if (!process.waitFor(8, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(subcommand + " did not end:\n" + Files.readString(output));
        }
        String printed = Files.readString(output);
        System.err.printf(
                "%s of %s in %s took %.1f s%n",
                subcommand, settings.getFileName(), heap, (System.nanoTime() - began) / 1e9);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }
}
