package dev.shelfmark.tool.audit.report;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page: fixed parts from resources, tables and the chart as plain HTML, the partitions as data for the script. */
final class ReportPage {

    private static final int TOPICS = 100;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private final ReportData data;
    private final String scope;
    private final String version;

    ReportPage(ReportData data, String scope, String version) {
        this.data = data;
        this.scope = scope;
        this.version = version;
    }

    /** Text that can't end the script element that it stands in. */
    static String inScript(String json) {
        return json.replace("<", "\\u003c");
    }

    void write(Writer out, Path rows) throws IOException {
        String page = resource("report.html")
                .replace("/*style*/", resource("report.css"))
                .replace("{{when}}", text(data.now.truncatedTo(ChronoUnit.SECONDS)))
                .replace("{{scope}}", text(scope))
                .replace("{{version}}", text(version))
                .replace("{{totals}}", totals())
                .replace("{{growth}}", growth())
                .replace("{{topics}}", topics())
                .replace("{{anomalies}}", anomalies());
        int script = page.indexOf("/*partitions*/");
        out.write(page.substring(0, script));
        try (Reader reader = Files.newBufferedReader(rows)) {
            reader.transferTo(out);
        }
        out.write(page.substring(script + "/*partitions*/".length()).replace("/*script*/", resource("report.js")));
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String totals() {
        StringBuilder html = new StringBuilder();
        figure(html, "stored", bytes(data.totals.bytes()));
        figure(html, "segments", number(data.totals.segments()));
        figure(html, "partitions", number(data.partitions));
        figure(html, "topics", number(data.topics.size()));
        figure(html, "uploaded within 24 hours", bytes(data.totals.grownBytes()));
        figure(html, "uploads under way", number(data.totals.in(SegmentState.COPY_SEGMENT_STARTED)));
        figure(html, "deletions under way", number(data.totals.in(SegmentState.DELETE_SEGMENT_STARTED)));
        figure(html, "anomalies", number(data.anomalyCount()));
        return html.toString();
    }

    private static void figure(StringBuilder html, String what, String value) {
        html.append("<div><dt>")
                .append(text(what))
                .append("</dt><dd>")
                .append(text(value))
                .append("</dd></div>\n");
    }

    /** A bar a day, and the same as a table. */
    private String growth() {
        long highest = data.bytesByDay.values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        StringBuilder bars = new StringBuilder();
        StringBuilder rows = new StringBuilder();
        int[] x = new int[1];
        data.bytesByDay.forEach((day, bytes) -> {
            long height = highest == 0 ? 0 : Math.round(100.0 * bytes / highest);
            bars.append("<rect x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\"><title>%s: %s</title></rect>"
                    .formatted(x[0], 100 - height, height, day, bytes(bytes)));
            x[0] += 10;
            rows.append("<tr><th scope=\"row\">%s</th><td>%s</td></tr>".formatted(day, bytes(bytes)));
        });
        return """
                <svg class="growth" viewBox="0 0 %d 100" preserveAspectRatio="none" role="img"
                  aria-label="Bytes uploaded on each of the last %d days; the highest is %s">%s</svg>
                <p class="axis"><span>%s</span><span>highest day %s</span><span>%s</span></p>
                <details><summary>As a table</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="Bytes by day"><table><thead><tr><th>day</th><th>uploaded</th></tr></thead>
                <tbody>%s<tr><th scope="row">before</th><td>%s</td></tr></tbody></table></div></details>
                """.formatted(
                        x[0],
                        ReportData.DAYS,
                        bytes(highest),
                        bars,
                        data.bytesByDay.firstKey(),
                        bytes(highest),
                        data.bytesByDay.lastKey(),
                        rows,
                        bytes(data.bytesBefore));
    }

    private String topics() {
        List<ReportData.Topic> biggest = data.biggestTopics(TOPICS);
        long highest = biggest.isEmpty() ? 0 : biggest.get(0).totals.bytes();
        StringBuilder rows = new StringBuilder();
        for (ReportData.Topic topic : biggest) {
            rows.append("<tr><th scope=\"row\">")
                    .append(text(topic.name))
                    .append("<small>")
                    .append(text(TextualId.of(topic.id)))
                    .append("</small></th><td class=\"share\"><span style=\"width:")
                    .append(highest == 0 ? 0 : Math.round(100.0 * topic.totals.bytes() / highest))
                    .append("%\"></span>")
                    .append(bytes(topic.totals.bytes()))
                    .append("</td>");
            cell(rows, number(topic.partitions));
            cell(rows, number(topic.totals.segments()));
            cell(rows, bytes(topic.totals.grownBytes()));
            cell(rows, moment(topic.totals.oldest()));
            cell(rows, moment(topic.totals.newest()));
            rows.append("</tr>\n");
        }
        if (data.topics.size() > biggest.size()) {
            rows.append("<tr><td colspan=\"7\">and ")
                    .append(number(data.topics.size() - biggest.size()))
                    .append(" smaller ones</td></tr>");
        }
        return rows.toString();
    }

    private static void cell(StringBuilder html, String value) {
        html.append("<td>").append(text(value)).append("</td>");
    }

    private String anomalies() {
        if (data.anomalies.isEmpty()) {
            return "<p class=\"well\">Nothing contradicts itself.</p>";
        }
        StringBuilder html = new StringBuilder();
        data.anomalies.forEach((kind, shown) -> {
            long count = data.anomalyCounts.getOrDefault(kind, 0L);
            html.append("<details open><summary><b>%s</b> <span class=\"count\">%s</span></summary>"
                            .formatted(kind, number(count)))
                    .append("<p>%s %s</p>".formatted(text(kind.meaning()), text(kind.advice())))
                    .append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + kind
                            + "\"><table><thead><tr>"
                            + "<th>partition</th><th>segment</th><th>offsets</th><th>epoch</th><th>since</th><th>detail</th>"
                            + "</tr></thead><tbody>");
            shown.forEach(anomaly -> html.append(row(anomaly)));
            if (count > shown.size()) {
                html.append("<tr><td colspan=\"6\">and ")
                        .append(number(count - shown.size()))
                        .append(" more: shelfmark check --only ")
                        .append(kind)
                        .append("</td></tr>");
            }
            html.append("</tbody></table></div></details>\n");
        });
        return html.toString();
    }

    private static String row(Anomaly anomaly) {
        Finding finding = anomaly.finding();
        StringBuilder row = new StringBuilder("<tr><th scope=\"row\">");
        row.append(text(anomaly.topic().isEmpty() ? anomaly.topicId() : anomaly.topic()))
                .append(anomaly.partition() == null ? "" : "-" + anomaly.partition())
                .append("<small>")
                .append(text(anomaly.topicId()))
                .append("</small></th>");
        cell(row, finding.segmentId() == null ? "" : finding.segmentId());
        cell(
                row,
                finding.endOffset() == null
                        ? ""
                        : Objects.toString(finding.startOffset(), "") + "–" + finding.endOffset());
        cell(row, Objects.toString(finding.epoch(), ""));
        cell(row, moment(finding.since()));
        cell(row, finding.detail());
        return row.append("</tr>").toString();
    }

    private static String moment(@Nullable Instant moment) {
        return moment == null ? "" : moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String bytes(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= 1024 && unit < UNITS.length - 1) {
            size /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
    }

    /** As HTML, whatever it is. */
    static String text(Object value) {
        return value.toString()
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
