package dev.shelfmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.ShelfmarkCommand;
import dev.shelfmark.compat.broker.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An import that is killed while it loads, again and again, ends with the rows and the counts of one that was not. */
@Tag("broker")
@Timeout(600)
final class ImportKilledTest {

    private static final Layout LAYOUT = new Layout("history", 300, 50, 100);
    private static final int[] KILLED_AFTER = {5, 20, 35};

    /** Every column of every row but the numbers that the database gives out itself. */
    private static final String ROWS = """
            select ('x' || substr(md5(string_agg(concat_ws(' ', p.*, s.*), E'\\n' order by p.topic_id, p.partition, s.segment_id)), 1, 12))::bit(48)::bigint
            from (select cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion, id
                  from shelfmark.topic_partition) q
            cross join lateral (select q.cluster_id, q.topic_id, q.partition, q.topic_name, q.version, q.live_segments,
                                       q.max_offset_span, q.deletion) p
            left join lateral (select segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                                      finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs,
                                      epoch_start_offsets, custom_metadata, deleted_at
                               from shelfmark.segment where partition_id = q.id) s on true
            """;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void skip() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void killedWhileItLoadsItEndsAsOneThatWasNot() throws Exception {
        try (JdbcCatalogue catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        // The broker itself keeps out of it.
                        .brokerConfig("remote.log.storage.system.enable", "false")
                        .start()) {
            TopicFiller.create(cluster.admin());
            try (TopicFiller topic = TopicFiller.inBatches(cluster.bootstrapServers())) {
                topic.fill(LAYOUT);
            }
            ShelfmarkCommand.Result whole = command(catalogue, cluster, "whole").run("import");
            assertThat(whole.exit()).as(whole.output()).isZero();
            assertThat(catalogue.server().number("whole", "select count(*) from shelfmark.segment"))
                    .isEqualTo((double) LAYOUT.liveSegments());

            ShelfmarkCommand parts = command(catalogue, cluster, "parts");
            for (int done : KILLED_AFTER) {
                ShelfmarkCommand.Run run = parts.start("import");
                awaitCheckpoints(catalogue, done, run);
                run.kill();
                assertThat(catalogue.server().number("parts", "select count(*) from shelfmark.import_checkpoint"))
                        .as(
                                "metadata partitions that were begun, of an import that was to be killed before it was through")
                        .isLessThan(TopicFiller.PARTITIONS);
                // As if its term were over.
                catalogue.server().execute("parts", "delete from shelfmark.import_claim");
            }
            ShelfmarkCommand.Result last = parts.run("import");

            assertThat(last.exit()).as(last.output()).isZero();
            assertThat(counts(last)).isEqualTo(counts(whole));
            assertThat(catalogue.server().number("parts", ROWS))
                    .isEqualTo(catalogue.server().number("whole", ROWS));
            assertThat(catalogue.server().number("parts", "select count(*) from shelfmark.import_progress"))
                    .isZero();
        }
    }

    private ShelfmarkCommand command(JdbcCatalogue catalogue, TestCluster cluster, String name) throws Exception {
        Map<String, String> owner = new HashMap<>(catalogue.addEmpty(name));
        owner.remove("cluster.state.poll.ms");
        owner.put("jdbc.user", "owner");
        owner.put("jdbc.password", "owner");
        return ShelfmarkCommand.in(Files.createDirectory(directory.resolve(name)), owner, cluster.bootstrapServers());
    }

    private static void awaitCheckpoints(JdbcCatalogue catalogue, int done, ShelfmarkCommand.Run run)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (catalogue.server().number("parts", "select count(*) from shelfmark.import_checkpoint") < done) {
            assertThat(System.nanoTime()).as(run.output()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /** The report's line about the topic. */
    private static String counts(ShelfmarkCommand.Result result) {
        return result.output()
                .lines()
                .filter(line -> line.startsWith(LAYOUT.topic() + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.output()));
    }
}
