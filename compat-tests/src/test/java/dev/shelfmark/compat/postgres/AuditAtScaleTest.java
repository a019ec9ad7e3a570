package dev.shelfmark.compat.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.broker.ShelfmarkCommand;
import dev.shelfmark.jdbc.JdbcStoreProvider;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.StoreAdministration;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The audit's commands as they are distributed, with a heap that would not hold the segments, and an auditor's login.
 * {@code -Dcompat.audit.segments=1000000} makes it more; the heap stays the same.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
final class AuditAtScaleTest {

    private static final String HEAP = "-Xmx32m";
    private static final int PARTITIONS = 200;
    private static final long SEGMENTS = Long.getLong("compat.audit.segments", 60_000);

    private final PostgresServer server = PostgresServer.start();
    private final PostgresDatabase database = server.createDatabase();

    private Path directory = Path.of("");

    @BeforeAll
    void fill(@TempDir Path temporary) throws IOException {
        directory = temporary;
        JdbcStoreProvider provider = new JdbcStoreProvider();
        try (StoreAdministration administration = provider.administration(new StoreContext(
                provider.configDef().parse(database.ownerSettings()), Retention.NONE, "test", StoreListener.NONE))) {
            administration.migrate();
        }
        long each = SEGMENTS / PARTITIONS;
        database.execute("""
                insert into shelfmark.cluster values ('c', 'ready', 1, now(), 'test', '');

                insert into shelfmark.topic_partition
                  (cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span)
                select 'c', ('00000000-0000-0000-0000-' || lpad(to_hex(t / 10), 12, '0'))::uuid, t %% 10, 'topic-' || t / 10,
                       %1$d, %1$d, 99
                from generate_series(0, %2$d - 1) t;

                insert into shelfmark.segment
                  (partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                   finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets)
                select p.id, gen_random_uuid(), 100 * i, 100 * i + 99, 1700000000000, 1700000000000, i + 1, i + 1, 200000000, 1, 1,
                       true, array[i / 1000], array[100 * i]
                from shelfmark.topic_partition p cross join generate_series(0, %1$d - 1) i;

                insert into shelfmark.epoch_highest_offset
                select p.id, e, least(100 * 1000 * (e + 1), 100 * %1$d) - 1, %1$d
                from shelfmark.topic_partition p cross join generate_series(0, (%1$d - 1) / 1000) e;

                analyze;
                """.formatted(each, PARTITIONS));
        Properties settings = new Properties();
        settings.putAll(database.settings(PostgresDatabase.AUDITOR));
        settings.setProperty("store", "jdbc");
        try (Writer writer = Files.newBufferedWriter(directory.resolve("auditor.properties"))) {
            settings.store(writer, null);
        }
    }

    @AfterAll
    void close() {
        database.close();
        server.close();
    }

    private record Result(int exit, Path out, String err) {}

    private Result run(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(ShelfmarkCommand.launcher().toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "--rows-per-second",
                "1000000000",
                "--config",
                directory.resolve("auditor.properties").toString()));
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("SHELFMARK_JAVA_OPTS", HEAP + " -XX:+ExitOnOutOfMemoryError");
        Process process = builder.start();
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(command + " did not end");
        }
        return new Result(process.exitValue(), out, Files.readString(err));
    }

    @Test
    void everyCommandStreams() throws Exception {
        Result topics = run("topics", "--output", "csv");
        assertThat(topics.exit()).as(topics.err()).isZero();
        assertThat(Files.readAllLines(topics.out())).hasSize(1 + PARTITIONS / 10);

        Result segments = run("segments", "--layout", "aiven", "--output", "csv");
        assertThat(segments.exit()).as(segments.err()).isZero();
        try (Stream<String> lines = Files.lines(segments.out())) {
            assertThat(lines.count()).isEqualTo(1 + SEGMENTS);
        }

        Result check = run("check");
        assertThat(check.err()).contains("nothing is wrong: " + PARTITIONS + " partitions, " + SEGMENTS + " segments");
        assertThat(check.exit()).isZero();

        Result report = run("report", "--file", directory.resolve("report.html").toString());
        assertThat(report.err()).contains("0 anomalies");
        assertThat(Files.size(directory.resolve("report.html"))).isLessThan(10_000_000);

        Path listing = listing(segments.out());
        Result orphans = run(
                "orphans", "--layout", "aiven", "--listing", listing.toString(), "--listed-at", "2026-01-01T00:00:00Z");
        assertThat(orphans.err()).contains("nothing is orphaned");
        assertThat(orphans.exit()).isZero();
    }

    /** As a bucket's, from the keys that the segments' command told. */
    private Path listing(Path segments) throws IOException {
        Path listing = Files.createTempFile(directory, "listing", "");
        try (Stream<String> lines = Files.lines(segments);
                Writer writer = Files.newBufferedWriter(listing)) {
            for (String line : (Iterable<String>) lines.skip(1)::iterator) {
                String keys = line.substring(line.lastIndexOf(',') + 1).strip();
                for (String key : keys.split(" ", -1)) {
                    writer.write("2025-01-01 00:00:00       1000 " + key + "\n");
                }
            }
        }
        return listing;
    }
}
