package dev.shelfmark.tool.audit.report;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.CatalogueCheck;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.SegmentTotals;
import dev.shelfmark.tool.console.Json;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Goes through the catalogue and writes the report. The partitions' rows wait in a temporary file, since the totals stand before
 * them; a report of a million segments needs the heap of one of ten.
 */
public final class ReportWriter {

    private final CatalogueWalk walk;
    private final Function<Consumer<Anomaly>, CatalogueCheck> check;
    private final ReportData data;

    /**
     * A report.
     *
     * @param check makes the check that tells its anomalies to what it is given
     */
    public ReportWriter(CatalogueWalk walk, Function<Consumer<Anomaly>, CatalogueCheck> check, Instant now) {
        this.walk = walk;
        this.check = check;
        this.data = new ReportData(now);
    }

    /** How many anomalies it tells of. */
    public long anomalies() {
        return data.anomalyCount();
    }

    /**
     * Writes the report.
     *
     * @param file replaced when it is there, once the report is complete
     * @param version of the build that writes it
     */
    public void write(Path file, String scope, String version) {
        Path directory = file.toAbsolutePath().getParent();
        try {
            Path rows = Files.createTempFile(directory, ".shelfmark-report-", ".rows");
            Path page = Files.createTempFile(directory, ".shelfmark-report-", ".html");
            try {
                try (Writer out = Files.newBufferedWriter(rows)) {
                    collect(out);
                }
                try (Writer out = Files.newBufferedWriter(page)) {
                    new ReportPage(data, scope, version).write(out, rows);
                }
                Files.move(page, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(rows);
                Files.deleteIfExists(page);
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't write " + file + ": " + FileErrors.reason(e), e);
        }
    }

    private void collect(Writer rows) throws IOException {
        CatalogueCheck checking = check.apply(data::found);
        List<IOException> failures = new ArrayList<>();
        walk.partitions(
                partition -> {
                    try {
                        String row = row(partition, checking);
                        rows.write((data.partitions == 1 ? "" : ",\n") + ReportPage.inScript(row));
                    } catch (IOException e) {
                        failures.add(e);
                    }
                },
                checking::unreadable);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private String row(PartitionSummary partition, CatalogueCheck checking) {
        CoverageMap map = new CoverageMap();
        SegmentTotals totals = new SegmentTotals(data.now.minus(Duration.ofDays(1)));
        walk.segments(
                partition.key(),
                Kept.LIVE,
                segment -> {
                    map.add(segment);
                    totals.add(segment);
                    data.uploaded(segment);
                },
                unused -> {});
        long before = data.anomalyCount();
        checking.check(partition);
        long anomalies = data.anomalyCount() - before;
        data.partitions++;
        data.totals.add(totals);
        ReportData.Topic topic = data.topics.computeIfAbsent(
                new ReportData.TopicKey(
                        partition.key().clusterId(), partition.key().topicId()),
                key -> new ReportData.Topic(
                        key.clusterId(), partition.topicName(), key.topicId(), data.now.minus(Duration.ofDays(1))));
        topic.partitions++;
        topic.totals.add(totals);
        return Json.line(json(partition, totals, map, anomalies));
    }

    private static Map<String, Object> json(
            PartitionSummary partition, SegmentTotals totals, CoverageMap map, long anomalies) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("cluster", partition.key().clusterId());
        row.put("topic", partition.topicName());
        row.put("topicId", TextualId.of(partition.key().topicId()));
        row.put("partition", partition.key().partition());
        row.put("segments", totals.segments());
        row.put("bytes", totals.bytes());
        // As text: offsets may be beyond what JavaScript's numbers hold.
        row.put("start", String.valueOf(totals.startOffset() == null ? "" : totals.startOffset()));
        row.put("end", String.valueOf(totals.endOffset() == null ? "" : totals.endOffset()));
        row.put("width", Long.toString(map.width()));
        row.put("anomalies", anomalies);
        row.put(
                "runs",
                map.runs().stream()
                        .map(run -> List.of(run.stretches(), run.marks(), run.epoch()))
                        .toList());
        return row;
    }
}
