package dev.shelfmark.tool.audit;

import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The findings of a completed check as a file for the textfile collector of Prometheus' node exporter. */
final class CheckMetrics {

    private static final String SUFFIX = ".prom";

    private final Path file;
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Long> oldest = new TreeMap<>();

    /**
     * Metrics that go to a file.
     *
     * @throws ToolFailure if the collector would ignore a file of this name, or if the file cannot be written
     */
    CheckMetrics(Path file) {
        if (!file.toString().endsWith(SUFFIX)) {
            throw ToolFailure.usage("--metrics: the name of " + file + " must end in " + SUFFIX
                    + ", or node exporter would ignore the file");
        }
        FileErrors.ensureWritable("--metrics", file);
        this.file = file;
    }

    void add(Anomaly anomaly) {
        String labels = "{cluster=\"" + escaped(anomaly.clusterId()) + "\",kind=\""
                + anomaly.finding().kind() + "\"}";
        counts.merge(labels, 1L, Long::sum);
        Instant since = anomaly.finding().since();
        if (since != null) {
            oldest.merge(labels, since.getEpochSecond(), Math::min);
        }
    }

    /**
     * Replaces the file in one step, so that the collector never reads half of it.
     *
     * @param completed when the check ended
     */
    void write(Instant completed) {
        StringBuilder text = new StringBuilder();
        gauge(
                text,
                "shelfmark_check_completed_timestamp_seconds",
                "When the last check that ran to its end did so.",
                Map.of("", completed.getEpochSecond()));
        long findings = counts.values().stream().mapToLong(Long::longValue).sum();
        gauge(text, "shelfmark_check_findings", "Anomalies that the last check found.", Map.of("", findings));
        gauge(text, "shelfmark_anomalies", "Anomalies that the last check found, by kind; absent: none.", counts);
        gauge(
                text,
                "shelfmark_oldest_anomaly_timestamp_seconds",
                "Since when the oldest anomaly of a kind has existed.",
                oldest);
        Path next = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid());
        try {
            try {
                // Not a temporary file of Java's: node exporter, another user, could not read that.
                Files.writeString(next, text);
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw ToolFailure.usage("--metrics: can't write " + file + ": " + FileErrors.reason(e), e);
        }
    }

    private static void gauge(StringBuilder text, String name, String help, Map<String, Long> samples) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
        samples.forEach((labels, value) -> text.append(name)
                .append(labels)
                .append(' ')
                .append(value.longValue())
                .append('\n'));
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
