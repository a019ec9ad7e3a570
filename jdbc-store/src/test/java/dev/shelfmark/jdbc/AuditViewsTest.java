package dev.shelfmark.jdbc;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The views for SQL users: the queries of docs/audit.md, run as an auditor, and each anomaly that is planted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AuditViewsTest {

    private static final Pattern QUERY = Pattern.compile("### ([^\\n]*)\\n```sql\\n(.*?)```", Pattern.DOTALL);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestDatabase database = TestServer.shared().database();
    private final CatalogueStore store = database.store();
    private final UUID ordersId = UUID.randomUUID();
    private final SegmentRecord answering =
            AuditFixture.segment(COPY_SEGMENT_FINISHED, 84_000, 84_999, Map.of(3, 84_000L, 4, 84_100L), MINUTE);
    private final SegmentRecord gone = AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 81_999, Map.of(3, 0L), MINUTE);

    @BeforeAll
    void fill() {
        AuditFixture.of(store, ordersId, 7, "orders")
                .put(
                        gone,
                        AuditFixture.segment(DELETE_SEGMENT_STARTED, 82_000, 82_999, Map.of(3, 82_000L), MINUTE),
                        AuditFixture.finished(3, 83_000, 83_999),
                        AuditFixture.finished(4, 84_100, 84_999),
                        answering,
                        AuditFixture.segment(COPY_SEGMENT_STARTED, 85_000, 85_999, Map.of(4, 85_000L), MINUTE));
        AuditFixture.of(store, UUID.randomUUID(), 0, "orders").put(AuditFixture.finished(1, 0, 99));
    }

    /** As of a producer that takes nanoseconds for milliseconds, and of one that takes what it gets. */
    @Test
    void aTimeThatPostgresDoesNotHaveEndsNoQuery() {
        TestDatabase other = TestServer.shared().database();
        try (CatalogueStore there = other.store()) {
            AuditFixture.of(there, UUID.randomUUID(), 0, "odd").put(AuditFixture.finished(1, 0, 99));
        }
        for (long odd : new long[] {1_700_000_000_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            other.execute("update shelfmark.segment set max_timestamp_ms = " + odd);
            for (String view : List.of(
                    "shelfmark_audit.segments",
                    "shelfmark_audit.partitions",
                    "shelfmark_audit.topics",
                    "shelfmark_audit.anomalies",
                    "shelfmark_audit.epoch_coverage")) {
                other.query("select * from " + view);
            }
            assertThat(other.query("select coalesce(newest, '-infinity') from shelfmark_audit.topics"))
                    .containsExactly(odd > 0 ? "infinity" : "-infinity");
        }
        // The last and the first that it has.
        other.execute("update shelfmark.segment set max_timestamp_ms = 9224318015999999,"
                + " event_timestamp_ms = -210866803200000");
        assertThat(other.query("select concat_ws(' ', extract(year from max_timestamp at time zone 'UTC'),"
                        + " extract(year from changed_at at time zone 'UTC')) from shelfmark_audit.segments"))
                .containsExactly("294276 -4714");
    }

    @AfterAll
    void close() {
        store.close();
    }

    private List<Map<String, String>> ask(String sql) {
        try (Connection connection = DriverManager.getConnection(database.url(), "auditor", "auditor");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Map<String, String>> all = new ArrayList<>();
            while (rows.next()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.put(rows.getMetaData().getColumnLabel(i), String.valueOf(rows.getString(i)));
                }
                all.add(row);
            }
            return all;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Test
    void theDocumentedQueriesAnswerTheirQuestions() throws IOException {
        Map<String, List<Map<String, String>>> answers = new LinkedHashMap<>();
        Matcher queries = QUERY.matcher(Files.readString(Path.of("..", "docs", "audit.md")));
        while (queries.find()) {
            answers.put(queries.group(1), ask(queries.group(2)));
        }
        assertThat(answers).hasSize(11);
        String answer = TextualId.of(answering.segmentId());
        assertThat(answers.get("Which objects hold offset 84213 of orders-7?"))
                .hasSize(2)
                .anySatisfy(row -> assertThat(row).containsEntry("segment_id", answer));
        assertThat(answers.get("Which segment answers for offset 84213 of epoch 4?"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("segment_id", answer));
        assertThat(answers.get("What does each topic cost, the most expensive first?"))
                .hasSizeGreaterThanOrEqualTo(2)
                .element(0)
                .satisfies(row -> assertThat(row)
                        .containsEntry("topic_id", TextualId.of(ordersId))
                        .containsEntry("segments", "5")
                        .containsEntry("size", "320 MB"));
        assertThat(answers.get("How much was uploaded on each of the last days?"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("segments", "1").containsEntry("bytes", "67108864"));
        assertThat(answers.get("Which uploads and deletions have begun and not ended?"))
                .extracting(row -> row.get("state"))
                .containsExactlyInAnyOrder("COPY_SEGMENT_STARTED", "DELETE_SEGMENT_STARTED");
        assertThat(answers.get("Which broker deleted segments of orders, and when?"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("segment_id", TextualId.of(gone.segmentId()))
                        .containsEntry("broker_id", "7"));
        assertThat(answers.get("What happened to each segment of orders-7 during the last day?"))
                .hasSize(6)
                .element(0)
                .satisfies(row -> assertThat(row)
                        .containsEntry("version", "1")
                        .containsEntry("broker_id", "7")
                        .containsEntry("segment_id", TextualId.of(gone.segmentId()))
                        .containsEntry("end_offset", "81999")
                        .containsEntry("from_state", "null")
                        .containsEntry("to_state", "DELETE_SEGMENT_FINISHED"));
        assertThat(answers.get("Which names belong to more than one topic id?"))
                .singleElement()
                .satisfies(
                        row -> assertThat(row).containsEntry("topic", "orders").containsEntry("ids", "2"));
        assertThat(answers.get("Which leader epochs does each partition span?"))
                .filteredOn(row -> "7".equals(row.get("partition")))
                .extracting(
                        row -> row.get("leader_epoch") + ":" + row.get("start_offset") + "-" + row.get("end_offset"))
                .containsExactly("3:83000-84099", "4:84100-84999");
        assertThat(answers.get("Which partitions have many small segments?")).isEmpty();
        assertThat(answers.get("What is wrong?"))
                .extracting(row -> row.get("kind"))
                .containsExactly("SUPERSEDED");
    }

    @Test
    void anomaliesAreWhatWasPlanted() {
        TestDatabase other = TestServer.shared().database();
        try (CatalogueStore planted = other.store()) {
            healthy(planted, "HEALTHY");
            healthy(planted, "GAP").put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 800, 899));
            healthy(planted, "GAP").put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(6, 750, 799));
            healthy(planted, "OVERLAP").put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 650, 749));
            healthy(planted, "SUPERSEDED").put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 600, 799));
            healthy(planted, "DANGLING_COPY")
                    .put(AuditFixture.segment(COPY_SEGMENT_STARTED, 600, 699, Map.of(4, 600L), MONTH));
            healthy(planted, "DANGLING_DELETE")
                    .put(AuditFixture.segment(DELETE_SEGMENT_STARTED, 250, 299, Map.of(1, 250L), MONTH));
            healthy(planted, "EPOCHS_OUTSIDE_SEGMENT")
                    .put(AuditFixture.segment(COPY_SEGMENT_FINISHED, 600, 699, Map.of(4, 600L, 5, 750L), MONTH));
            healthy(planted, "HIGHEST_OFFSET_TOO_LOW");
            healthy(planted, "HEAD_MISMATCH");
            healthy(planted, "UNREADABLE_ROW").put(AuditFixture.finished(4, 600, 699));
            healthy(planted, "PURGE_BACKLOG");
            healthy(planted, "SMALL_SEGMENTS");
            other.execute("""
                    update shelfmark.epoch_highest_offset h set highest_offset = 555 from shelfmark.topic_partition p
                    where p.id = h.partition_id and p.topic_name = 'HIGHEST_OFFSET_TOO_LOW' and h.leader_epoch = 3;
                    update shelfmark.topic_partition set live_segments = 17 where topic_name = 'HEAD_MISMATCH';
                    update shelfmark.segment s set state = 9 from shelfmark.topic_partition p
                    where p.id = s.partition_id and p.topic_name = 'UNREADABLE_ROW' and s.start_offset = 600 and s.state = 1;
                    update shelfmark.segment s set deleted_at = now() - interval '11 days' from shelfmark.topic_partition p
                    where p.id = s.partition_id and p.topic_name = 'PURGE_BACKLOG' and s.deleted_at is not null;
                    insert into shelfmark.segment
                      (partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                       finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets)
                    select p.id, gen_random_uuid(), 600 + i, 600 + i, 0, 0, 7, 7, 10, 1, 1, true, '{4}', array[600 + i]
                    from shelfmark.topic_partition p cross join generate_series(0, 9999) i
                    where p.topic_name = 'SMALL_SEGMENTS';
                    update shelfmark.topic_partition set live_segments = 10006 where topic_name = 'SMALL_SEGMENTS';
                    update shelfmark.epoch_highest_offset h set highest_offset = 20000 from shelfmark.topic_partition p
                    where p.id = h.partition_id and p.topic_name = 'SMALL_SEGMENTS' and h.leader_epoch = 4;
                    """);
        }
        List<String> found = other.query("select topic || ' is ' || kind from shelfmark_audit.anomalies order by 1");
        assertThat(found)
                .containsExactly(
                        "DANGLING_COPY is DANGLING_COPY",
                        "DANGLING_DELETE is DANGLING_DELETE",
                        "EPOCHS_OUTSIDE_SEGMENT is EPOCHS_OUTSIDE_SEGMENT",
                        "GAP is GAP",
                        "GAP is GAP",
                        "HEAD_MISMATCH is HEAD_MISMATCH",
                        "HIGHEST_OFFSET_TOO_LOW is HIGHEST_OFFSET_TOO_LOW",
                        "OVERLAP is OVERLAP",
                        "PURGE_BACKLOG is PURGE_BACKLOG",
                        "SMALL_SEGMENTS is SMALL_SEGMENTS",
                        "SUPERSEDED is SUPERSEDED",
                        "UNREADABLE_ROW is UNREADABLE_ROW");
        other.execute("""
                update shelfmark.segment s set event_timestamp_ms = 0 from shelfmark.topic_partition p
                where p.id = s.partition_id and p.topic_name = 'HEALTHY' and s.state = 2
                """);
        assertThat(other.query("select kind from shelfmark_audit.anomalies where topic = 'HEALTHY' order by 1"))
                .containsExactly("DANGLING_DELETE", "LOG_START_NOT_READABLE");
    }

    private static AuditFixture healthy(CatalogueStore store, String topic) {
        AuditFixture shelf = AuditFixture.of(store, UUID.randomUUID(), 0, topic);
        shelf.put(
                AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 99, Map.of(1, 0L), Duration.ofDays(5)),
                AuditFixture.segment(DELETE_SEGMENT_STARTED, 100, 199, Map.of(1, 100L), MINUTE),
                AuditFixture.finished(1, 200, 299),
                AuditFixture.segment(COPY_SEGMENT_FINISHED, 300, 399, Map.of(1, 300L, 2, 350L, 3, 350L), MONTH),
                AuditFixture.finished(3, 400, 499),
                AuditFixture.segment(COPY_SEGMENT_FINISHED, 500, 599, Map.of(3, 500L, 4, 600L), MINUTE),
                AuditFixture.segment(COPY_SEGMENT_STARTED, 600, 699, Map.of(4, 600L), MINUTE));
        return shelf;
    }
}
