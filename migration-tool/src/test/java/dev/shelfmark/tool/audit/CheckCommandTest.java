package dev.shelfmark.tool.audit;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.audit.check.AnomalyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One planted fault of each kind, each in a partition that is healthy otherwise, and health that looks like a fault. */
final class CheckCommandTest {

    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Shell shell;
    private int topics;

    CheckCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        shell.registered();
    }

    private AuditFixture healthy() {
        return AuditFixture.of(shell.store(), "topic-" + topics++, 0)
                .put(
                        AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 99, Map.of(1, 0L), Duration.ofDays(5)),
                        AuditFixture.segment(DELETE_SEGMENT_STARTED, 100, 199, Map.of(1, 100L), MINUTE),
                        AuditFixture.finished(1, 200, 299),
                        AuditFixture.segment(COPY_SEGMENT_FINISHED, 300, 399, Map.of(1, 300L, 2, 350L, 3, 350L), MONTH),
                        AuditFixture.finished(3, 400, 499),
                        AuditFixture.segment(COPY_SEGMENT_FINISHED, 500, 599, Map.of(3, 500L, 4, 600L), MINUTE),
                        AuditFixture.segment(COPY_SEGMENT_STARTED, 600, 699, Map.of(4, 600L), MINUTE));
    }

    private Result check(String... more) {
        return shell.runConfigured(Stream.concat(Stream.of("check", "--output", "csv"), Stream.of(more))
                .toArray(String[]::new));
    }

    private void finds(AnomalyKind kind, String... facts) {
        Result result = check();
        List<String> lines = result.out().lines().skip(1).toList();
        assertThat(lines)
                .as(result.out())
                .singleElement()
                .asString()
                .startsWith(kind.name())
                .contains(facts);
        assertThat(result.err()).contains("1 x " + kind, kind.advice());
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void nothingIsWrongWithHealthyPartitions() {
        healthy();
        healthy();
        Result result = shell.runConfigured("check");
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("nothing is wrong: 2 partitions, 14 segments");
        assertThat(result.exit()).isZero();
    }

    @Test
    void aGapWithinAnEpoch() {
        healthy();
        healthy().put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 800, 899));
        finds(AnomalyKind.GAP, ",700,799,4,");
    }

    @Test
    void aGapBetweenEpochs() {
        healthy().put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(6, 750, 799));
        finds(AnomalyKind.GAP, ",700,749,6,");
    }

    @Test
    void aGapThatWorkInFlightExplains() {
        healthy()
                .put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 800, 899))
                .put(AuditFixture.segment(COPY_SEGMENT_STARTED, 700, 799, Map.of(4, 700L), MINUTE));
        healthy()
                .put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 800, 899))
                .put(AuditFixture.segment(DELETE_SEGMENT_FINISHED, 700, 799, Map.of(4, 700L), MINUTE));
        assertThat(check().exit()).isZero();
    }

    @Test
    void anOverlap() {
        healthy().put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 650, 749));
        finds(AnomalyKind.OVERLAP, ",650,699,", "finished before it");
    }

    @Test
    void epochsThatDivergedDoNotOverlap() {
        healthy().put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(5, 650, 749));
        assertThat(check().exit()).isZero();
    }

    @Test
    void aSupersededSegmentPastItsRetention() {
        SegmentRecord old = AuditFixture.finished(4, 600, 699);
        healthy().put(old, AuditFixture.finished(4, 600, 799));
        finds(AnomalyKind.SUPERSEDED, TextualId.of(old.segmentId()));
        assertThat(check("--retention", "60d").exit()).isZero();
    }

    @Test
    void anUploadThatNeverEnded() {
        SegmentRecord dangling = AuditFixture.segment(COPY_SEGMENT_STARTED, 600, 699, Map.of(4, 600L), MONTH);
        healthy().put(dangling);
        finds(AnomalyKind.DANGLING_COPY, TextualId.of(dangling.segmentId()), "by broker 7");
        assertThat(check("--age", "31d").exit()).isZero();
    }

    @Test
    void aDeletionThatNeverEnded() {
        SegmentRecord dangling = AuditFixture.segment(DELETE_SEGMENT_STARTED, 150, 199, Map.of(1, 150L), MONTH);
        healthy().put(dangling);
        finds(AnomalyKind.DANGLING_DELETE, TextualId.of(dangling.segmentId()));
    }

    @Test
    void aLogStartThatIsNotReadable() {
        healthy().put(AuditFixture.segment(DELETE_SEGMENT_STARTED, 0, 99, Map.of(1, 0L), MONTH));
        assertThat(check("--only", "LOG_START_NOT_READABLE").out().lines().skip(1))
                .singleElement()
                .asString()
                .contains("DELETE_SEGMENT_STARTED; the first readable segment begins at 200");
        assertThat(check().out().lines().skip(1)).hasSize(2);
    }

    @Test
    void epochsThatDoNotCoverTheSegment() {
        healthy().put(AuditFixture.segment(COPY_SEGMENT_FINISHED, 600, 699, Map.of(4, 600L, 5, 750L), MONTH));
        finds(AnomalyKind.EPOCHS_OUTSIDE_SEGMENT, "epoch 5 begins at 750", "behind");
    }

    @Test
    void aHighestOffsetThatIsTooLow() {
        AuditFixture shelf = healthy();
        PartitionHead head = shelf.head();
        shelf.commit(new PartitionHead(
                head.version() + 1,
                head.topicName(),
                head.liveSegments(),
                head.maxOffsetSpan(),
                PartitionDeletion.NONE,
                new TreeMap<>(Map.of(3, 555L))));
        finds(AnomalyKind.HIGHEST_OFFSET_TOO_LOW, ",555,599,3,");
    }

    @Test
    void aHeadThatCountsWrong() {
        AuditFixture shelf = healthy();
        PartitionHead head = shelf.head();
        shelf.commit(new PartitionHead(
                head.version() + 1,
                head.topicName(),
                head.liveSegments() + 1,
                head.maxOffsetSpan(),
                PartitionDeletion.NONE,
                new TreeMap<>()));
        finds(AnomalyKind.HEAD_MISMATCH, "counts 7 live segments, there are 6");
    }

    @Test
    void aHeadThatKnowsANarrowerSpan() {
        AuditFixture shelf = healthy();
        PartitionHead head = shelf.head();
        shelf.commit(new PartitionHead(
                head.version() + 1,
                head.topicName(),
                head.liveSegments(),
                42,
                PartitionDeletion.NONE,
                new TreeMap<>()));
        finds(AnomalyKind.HEAD_MISMATCH, "span of 42");
    }

    @Test
    void recordsThatShouldBePurged() {
        healthy()
                .put(
                        AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 9, Map.of(1, 0L), MONTH),
                        AuditFixture.segment(DELETE_SEGMENT_FINISHED, 10, 19, Map.of(1, 10L), MONTH));
        finds(AnomalyKind.PURGE_BACKLOG, "2 records");
        assertThat(check("--purge-after", "40d").exit()).isZero();
    }

    @Test
    void manySmallSegments() {
        healthy();
        assertThat(check("--small-segments", "6", "--small-bytes", "100000000").out())
                .contains("SMALL_SEGMENTS", "6 segments of 67108864 bytes on average");
        assertThat(check("--small-segments", "6").exit()).isZero();
        assertThat(check("--small-segments", "7", "--small-bytes", "100000000").exit())
                .isZero();
    }

    @Test
    void aTopicThatTheClusterNoLongerHas() {
        AuditFixture.of(shell.store(), "gone", 0).put(AuditFixture.finished(1, 0, 99));
        AuditFixture kept = AuditFixture.of(shell.store(), "kept", 0).put(AuditFixture.finished(1, 0, 99));
        AuditFixture.of(shell.store(), "deleted just now", 0)
                .put(AuditFixture.segment(DELETE_SEGMENT_STARTED, 0, 99, Map.of(1, 0L), MINUTE));
        AuditFixture.of(shell.store(), "deleted well", 0)
                .put(AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 99, Map.of(1, 0L), Duration.ofDays(2)));
        Result none = check("--bootstrap-server", "here:1");
        assertThat(none.exit()).isEqualTo(4);
        assertThat(none.err()).contains("no topic at all").hasLineCount(1);

        shell.topic(kept.key().topicId(), "kept", -1);
        Result result = check("--bootstrap-server", "here:1");
        assertThat(result.out().lines().skip(1))
                .singleElement()
                .asString()
                .startsWith("UNKNOWN_TOPIC," + Shell.CLUSTER + ",gone,")
                .contains("1 segments of 67108864 bytes");
        assertThat(check().exit()).isZero();
    }

    @Test
    void everyKindIsTestedHere() {
        // UNREADABLE_ROW needs a store that can hold one: AuditOnStoresTest, on real ones.
        assertThat(AnomalyKind.values()).hasSize(13);
    }

    @Test
    void metricsForNodeExporter(@TempDir Path collected) throws IOException {
        SegmentRecord dangling = AuditFixture.segment(COPY_SEGMENT_STARTED, 600, 699, Map.of(4, 600L), MONTH);
        healthy()
                .put(
                        dangling,
                        AuditFixture.segment(COPY_SEGMENT_STARTED, 700, 799, Map.of(4, 700L), MONTH.plusDays(1)));
        healthy().put(AuditFixture.finished(4, 600, 699), AuditFixture.finished(4, 650, 749));
        Path file = collected.resolve("shelfmark.prom");
        Result found = check("--metrics", file.toString());
        assertThat(found.exit()).as(found.err()).isEqualTo(1);
        String cluster = "{cluster=\"" + Shell.CLUSTER + "\",kind=";
        long since = dangling.eventTimestampMs() / 1000 - Duration.ofDays(1).toSeconds();
        assertThat(file)
                .content()
                .contains(
                        "# TYPE shelfmark_anomalies gauge\n",
                        "shelfmark_check_completed_timestamp_seconds " + Shell.NOW.getEpochSecond() + "\n",
                        "shelfmark_check_findings 3\n",
                        "shelfmark_anomalies" + cluster + "\"DANGLING_COPY\"} 2\n",
                        "shelfmark_anomalies" + cluster + "\"OVERLAP\"} 1\n",
                        "shelfmark_oldest_anomaly_timestamp_seconds" + cluster + "\"DANGLING_COPY\"} " + since + "\n");
        assertThat(collected).isDirectoryContaining("glob:**/shelfmark.prom");
        assertThat(collected.toFile().list()).hasSize(1);
        assertThat(Files.getPosixFilePermissions(file)).contains(PosixFilePermission.OTHERS_READ);

        assertThat(check("--metrics", file.toString(), "--only", "GAP").exit()).isZero();
        assertThat(file).content().contains("shelfmark_check_findings 0\n").doesNotContain("shelfmark_anomalies{");
    }

    @Test
    void aFailedCheckLeavesTheMetricsOfTheLastOne(@TempDir Path collected) throws IOException {
        healthy();
        Path file = Files.writeString(collected.resolve("shelfmark.prom"), "before\n");
        shell.fail(new StoreException.Unavailable("nobody answers at here:1; is it up?", null));
        assertThat(check("--metrics", file.toString()).exit()).isEqualTo(3);
        assertThat(file).hasContent("before\n");
        assertThat(collected.toFile().list()).hasSize(1);
    }

    @Test
    void metricsThatNodeExporterWouldIgnoreAreRefused(@TempDir Path collected) {
        Result refused = check("--metrics", collected.resolve("shelfmark.txt").toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("must end in .prom");
        Result nowhere =
                check("--metrics", collected.resolve("no/shelfmark.prom").toString());
        assertThat(nowhere.exit()).isEqualTo(2);
        assertThat(nowhere.err()).contains("there is no directory");
    }
}
