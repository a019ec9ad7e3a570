package dev.shelfmark.tool.audit;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code topics}, {@code partitions}, {@code segments} and {@code lookup}. */
final class InspectionCommandsTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Shell shell;
    private final SegmentRecord old = AuditFixture.finished(3, 0, 99);
    private final SegmentRecord twoEpochs =
            AuditFixture.segment(COPY_SEGMENT_FINISHED, 100, 199, Map.of(3, 100L, 4, 150L), HOUR);
    private final SegmentRecord uploading = AuditFixture.segment(COPY_SEGMENT_STARTED, 200, 299, Map.of(4, 200L), HOUR);
    private final SegmentRecord gone = AuditFixture.segment(DELETE_SEGMENT_FINISHED, 0, 49, Map.of(2, 0L), HOUR);
    private AuditFixture orders;

    InspectionCommandsTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        orders = AuditFixture.of(shell.store(), "orders", 7);
    }

    @BeforeEach
    void fill() {
        shell.registered();
        orders.put(old, twoEpochs, uploading, gone);
        AuditFixture.of(shell.store(), "orders", 8).put(AuditFixture.finished(1, 0, 9));
        AuditFixture.of(shell.store(), "payments", 0)
                .put(AuditFixture.segment(DELETE_SEGMENT_STARTED, 0, 9, Map.of(1, 0L), HOUR));
    }

    @Test
    void aListThatBreaksOffNeverLooksComplete() {
        Map<String, Integer> pages = Map.of("topics", 9, "partitions", 9, "segments", 6, "history", 5, "check", 9);
        pages.forEach((command, enough) -> {
            String json = "";
            for (int page = 0; page <= enough; page++) {
                shell.failAfter(page);
                Result result = shell.runConfigured(command, "--output", "json");
                json = result.out();
                if (result.exit() != 3) {
                    break;
                }
                assertThat(json.strip()).as("%s after %s pages", command, page).doesNotEndWith("]");
                if (json.isEmpty()) {
                    assertThat(shell.runConfigured(command, "--output", "csv").out())
                            .isEmpty();
                    assertThat(shell.runConfigured(command).out()).isEmpty();
                }
            }
            assertThat(json.strip()).as(command).endsWith("]");
        });
    }

    @Test
    void topicsSumUp() {
        Result result = shell.runConfigured("topics", "--output", "csv");

        assertThat(result.exit()).isZero();
        long mib64 = 64L * 1024 * 1024;
        assertThat(result.out().lines().skip(1))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(Shell.CLUSTER + ",orders,"
                                + TextualId.of(orders.key().topicId()) + ",2,4," + 4 * mib64
                                + ",1,3,0,0,2026-04-03T10:14:30Z,2026-05-03T09:14:30Z,1," + mib64))
                .anySatisfy(line -> assertThat(line).contains(",payments,", ",1,1," + mib64 + ",0,0,1,0,"))
                .hasSize(2);
    }

    @Test
    void partitionsShowTheirRanges() {
        Result result = shell.runConfigured("partitions", "--topic", "ord*", "--partition", "7", "--output", "csv");

        assertThat(result.out().lines().skip(1))
                .singleElement()
                .asString()
                .contains(",7,4,3," + 3 * 64L * 1024 * 1024 + ",0,299,1,2,0,0,");
    }

    @Test
    void segmentsShowEveryField() {
        Result result = shell.runConfigured(
                "segments", "--topic", "orders", "--partition", "7", "--layout", "aiven", "--output", "json");

        assertThat(result.exit()).isZero();
        assertThat(result.out())
                .contains(
                        "\"segmentId\" : \"" + TextualId.of(twoEpochs.segmentId()) + "\"",
                        "\"leaderEpochs\" : \"3:100-149 4:150-199\"",
                        "\"state\" : \"COPY_SEGMENT_STARTED\"",
                        "\"sizeInBytes\" : 67108864",
                        "orders-" + TextualId.of(orders.key().topicId()) + "/7/00000000000000000100-"
                                + TextualId.of(twoEpochs.segmentId()) + ".log ")
                .doesNotContain(TextualId.of(gone.segmentId()));
    }

    @Test
    void segmentsAreChosenByStateAndTime() {
        assertThat(shell.runConfigured("segments", "--state", "delete_segment_finished", "--output", "csv")
                        .out())
                .contains(TextualId.of(gone.segmentId()))
                .hasLineCount(2);
        assertThat(shell.runConfigured("segments", "--topic", "orders", "--since", "2h", "--output", "csv")
                        .out())
                .contains(TextualId.of(twoEpochs.segmentId()), TextualId.of(uploading.segmentId()))
                .hasLineCount(3);
        assertThat(shell.runConfigured(
                                "segments", "--topic", "orders", "--until", "2026-05-01T00:00:00Z", "--output", "csv")
                        .out())
                .contains(TextualId.of(old.segmentId()))
                .hasLineCount(3);
    }

    @Test
    void keysAreThoseOfTheNamedLayoutOnly() {
        String[] command = {"segments", "--topic", "orders", "--partition", "7", "--output", "csv"};
        assertThat(shell.runConfigured(command).out())
                .contains(TextualId.of(twoEpochs.segmentId()))
                .doesNotContain(".log", ".rsm-manifest");
        assertThat(lookup("--offset", "120").out()).doesNotContain(".log");
        assertThat(lookup("--offset", "120", "--layout", "local-tiered-storage").out())
                .contains("orders-7-" + TextualId.of(orders.key().topicId()) + "/")
                .contains(".leader_epoch_checkpoint");
        assertThat(lookup("--offset", "120", "--layout", "directory").out())
                .contains(TextualId.of(orders.key().topicId()) + "/7/")
                .contains("/LEADER_EPOCH");
        assertThat(lookup("--offset", "120", "--layout", "unheard-of").err()).contains("unheard-of", "aiven");
    }

    @Test
    void keysByAnyLayout() {
        assertThat(shell.runConfigured(
                                "segments",
                                "--topic",
                                "orders",
                                "--partition",
                                "7",
                                "--state",
                                "COPY_SEGMENT_STARTED",
                                "--prefix",
                                "tier/",
                                "--layout",
                                "{topicId}/{partition}/{segmentId}",
                                "--output",
                                "csv")
                        .out())
                .contains("tier/" + TextualId.of(orders.key().topicId()) + "/7/" + TextualId.of(uploading.segmentId()));
        assertThat(shell.runConfigured("segments", "--layout", "{topic}/{segment}")
                        .err())
                .contains("unknown placeholder {segment}");
    }

    private Result lookup(String... more) {
        String[] args = new String[more.length + 7];
        System.arraycopy(
                new String[] {"lookup", "--topic", "orders", "--partition", "7", "--output", "csv"}, 0, args, 0, 7);
        System.arraycopy(more, 0, args, 7, more.length);
        return shell.runConfigured(args);
    }

    @Test
    void lookupNamesTheSegmentAndWhyNotTheOthers() {
        SegmentRecord newer = AuditFixture.segment(COPY_SEGMENT_FINISHED, 150, 249, Map.of(4, 150L), HOUR);
        orders.put(newer);

        Result result = lookup("--offset", "160", "--epoch", "4");
        assertThat(result.exit()).isZero();
        assertThat(result.out().lines().skip(1).toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("true," + TextualId.of(newer.segmentId()))
                                .contains("finished last"),
                        line -> assertThat(line)
                                .startsWith("false," + TextualId.of(twoEpochs.segmentId()))
                                .contains("in epoch 4 was finished later"));

        Result other = lookup("--offset", "160", "--epoch", "3");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.out()).contains("its epoch 3 spans 100 to 149 only", "it has no epoch 3");
        assertThat(other.err()).contains("no segment answers", "the highest offset of epoch 3 ever uploaded is 149");

        Result uploaded = lookup("--offset", "250");
        assertThat(uploaded.exit()).isEqualTo(1);
        assertThat(uploaded.out()).contains("not readable: it is COPY_SEGMENT_STARTED");
        assertThat(lookup("--offset", "5000").err()).contains("none holds it");
    }

    @Test
    void lookupOfATime() {
        Result result = lookup("--timestamp", "2h");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("true," + TextualId.of(twoEpochs.segmentId()), "the first of epoch 3");
        Result late = lookup("--timestamp", "2026-05-03T10:00:00Z");
        assertThat(late.exit()).isEqualTo(1);
        assertThat(late.err()).contains("no finished segment");
    }

    @Test
    void whatIsWrongIsSaidInOneLineWithWhatToDo() {
        assertThat(shell.runConfigured("topics", "--topic", "ordres").err())
                .contains("no partition", "did you mean 'orders'?")
                .hasLineCount(1);
        assertThat(shell.runConfigured("topics", "--cluster", "nobody").err())
                .contains("knows no cluster 'nobody'", Shell.CLUSTER, "--cluster")
                .hasLineCount(1);
        assertThat(shell.runConfigured("lookup", "--topic", "orders", "--offset", "1")
                        .err())
                .contains("which partition?", "--partition")
                .hasLineCount(1);
        assertThat(shell.runConfigured("lookup", "--topic", "orders").err()).contains("--offset");
        shell.fail(new StoreException.Unavailable("nobody answers at here:1; is it up?", null));
        Result down = shell.runConfigured("segments");
        assertThat(down.exit()).isEqualTo(3);
        assertThat(down.err()).isEqualTo("shelfmark: error: nobody answers at here:1; is it up?\n");
    }

    @Test
    void segmentsThatHoldNothingNewer() {
        Result week = shell.runConfigured("segments", "--older-than", "7d", "--output", "csv");
        assertThat(week.out().lines().skip(1))
                .hasSize(2)
                .allMatch(line -> line.contains(",orders,"))
                .anyMatch(line -> line.contains(TextualId.of(old.segmentId())));
        // The newest record of the younger ones is 61 minutes old.
        assertThat(shell.runConfigured("segments", "--older-than", "61m", "--output", "csv")
                        .out()
                        .lines()
                        .skip(1))
                .hasSize(2);
        assertThat(shell.runConfigured("segments", "--older-than", "60m", "--output", "csv")
                        .out()
                        .lines()
                        .skip(1))
                .hasSize(5);
    }
}
