package dev.shelfmark.tool.audit;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The report as a file, and in a real browser. */
@Timeout(180)
final class ReportCommandTest {

    private static final int PARTITIONS = 1_000;
    private static final int SEGMENTS = 30;

    private final Path directory;
    private final Shell shell;
    private final Path report;

    ReportCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
        shell.registered();
        report = directory.resolve("report.html");
    }

    /** A thousand partitions in twenty topics, of epochs that change; one has a gap, one an upload that never ended. */
    private void fill() {
        for (int i = 0; i < PARTITIONS; i++) {
            AuditFixture shelf = AuditFixture.of(shell.store(), "topic-" + i % 20, i / 20);
            List<SegmentRecord> segments = new ArrayList<>();
            TreeMap<Integer, Long> highest = new TreeMap<>();
            for (int s = 0; s < SEGMENTS; s++) {
                long start = s * 1_000L + (i == 7 && s > 20 ? 5_000 : 0);
                SegmentRecord segment = AuditFixture.segment(
                        COPY_SEGMENT_FINISHED, start, start + 999, Map.of(s / 5, start), Duration.ofDays(SEGMENTS - s));
                segments.add(stamped(segment, s + 1));
                highest.put(s / 5, start + 999);
            }
            PartitionHead head =
                    new PartitionHead(SEGMENTS, shelf.topic(), SEGMENTS, 999, PartitionDeletion.NONE, highest);
            shelf.commit(head, segments.toArray(SegmentRecord[]::new));
        }
        AuditFixture.of(shell.store(), "<b>odd & \"named\"</b></script>", 0)
                .put(
                        AuditFixture.finished(1, 0, 99),
                        AuditFixture.segment(COPY_SEGMENT_STARTED, 100, 199, Map.of(1, 100L), Duration.ofDays(9)));
    }

    private static SegmentRecord stamped(SegmentRecord segment, long version) {
        return segment.toBuilder()
                .txnIndexEmpty(true)
                .customMetadata(null)
                .brokerId(1)
                .version(version)
                .finishedVersion(version)
                .build();
    }

    private Result write() {
        return shell.runConfigured("report", "--file", report.toString(), "--rows-per-second", "1000000000");
    }

    @Test
    void oneFileWithEverythingInIt() throws IOException {
        fill();
        Result result = write();
        assertThat(result.err()).contains("1,001 partitions, 2 anomalies");
        assertThat(result.exit()).isZero();
        String html = Files.readString(report);
        assertThat(html)
                .contains("<dt>partitions</dt><dd>1,001</dd>", "<dt>segments</dt><dd>30,002</dd>", "1.8 TiB")
                .contains("<b>GAP</b>", "<b>DANGLING_COPY</b>", "no readable segment holds offsets 21000 to 25999")
                .contains("&lt;b&gt;odd &amp; &quot;named&quot;&lt;/b&gt;")
                .doesNotContain("<b>odd", "src=", "@import", "url(", "https:", "{{");
        try (var left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> name.startsWith(".shelfmark"));
        }
    }

    @Test
    void anEmptyCatalogue() throws IOException {
        assertThat(write().exit()).isZero();
        assertThat(Files.readString(report)).contains("<dt>segments</dt><dd>0</dd>", "Nothing contradicts itself.");
    }

    @Test
    void aPlaceThatIsNotThere() {
        Result result = shell.runConfigured(
                "report", "--file", directory.resolve("no/report.html").toString());
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("can't write").hasLineCount(1);
    }

    static boolean chromiumIsThere() {
        boolean there = Browser.executable() != null;
        if (!there) {
            System.err.println("**** NOT TESTED: the report in a browser, because this machine has no chromium ****");
        }
        return there;
    }

    @Test
    @EnabledIf("chromiumIsThere")
    void inABrowser() throws Exception {
        fill();
        write();
        Path profile = Files.createDirectory(directory.resolve("profile"));
        try (Browser browser = new Browser(Objects.requireNonNull(Browser.executable()), profile)) {
            browser.open(report, false);
            assertThat(browser.evaluate("document.querySelectorAll('#maps li').length"))
                    .isEqualTo("100");
            assertThat(browser.evaluate("document.getElementById('shown').textContent"))
                    .isEqualTo("100 of 1001 shown, 1001 in all");
            String light = browser.evaluate("getComputedStyle(document.body).backgroundColor");
            picture(browser, "light");

            browser.press("/", "/");
            browser.type("topic-7-0");
            assertThat(browser.evaluate("document.getElementById('shown').textContent"))
                    .startsWith("1 of 1 shown");
            browser.evaluate("document.getElementById('partitions').scrollIntoView()");
            assertThat(
                            browser.evaluate(
                                    "new Promise(done => { const look = () => document.querySelector('#maps rect')"
                                            + " ? done(document.querySelectorAll('#maps rect.gap').length) : setTimeout(look, 20); look(); })"))
                    .as("the gap is drawn")
                    .isNotEqualTo("0");
            picture(browser, "filtered");

            browser.press("Escape", "");
            assertThat(browser.evaluate("document.getElementById('shown').textContent"))
                    .startsWith("100 of 1001");
            browser.evaluate("document.querySelector('#maps li').focus()");
            browser.press("ArrowDown", "");
            browser.press("ArrowDown", "");
            assertThat(browser.evaluate("[...document.querySelectorAll('#maps li')].indexOf(document.activeElement)"))
                    .isEqualTo("2");
            browser.press("ArrowUp", "");
            assertThat(browser.evaluate("[...document.querySelectorAll('#maps li')].indexOf(document.activeElement)"))
                    .isEqualTo("1");
            browser.evaluate("document.getElementById('wrong').click()");
            assertThat(browser.evaluate("document.getElementById('shown').textContent"))
                    .startsWith("2 of 2 shown");
            browser.evaluate("document.getElementById('wrong').click(); document.getElementById('more').click()");
            assertThat(browser.evaluate("document.querySelectorAll('#maps li').length"))
                    .isEqualTo("200");

            browser.open(report, true);
            assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isNotEqualTo(light);
            picture(browser, "dark");
            assertThat(browser.errors).isEmpty();
        }
    }

    private void picture(Browser browser, String name) throws Exception {
        byte[] png = browser.screenshot();
        assertThat(png).hasSizeGreaterThan(20_000);
        Files.write(
                Files.createDirectories(Path.of("target", "report-pictures")).resolve(name + ".png"), png);
    }
}
