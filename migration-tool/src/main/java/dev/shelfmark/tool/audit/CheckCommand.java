package dev.shelfmark.tool.audit;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.AnomalyKind;
import dev.shelfmark.tool.audit.check.CatalogueCheck;
import dev.shelfmark.tool.audit.check.CheckSettings;
import dev.shelfmark.tool.audit.check.ClusterTopics;
import dev.shelfmark.tool.audit.check.Finding;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark check}: whether what the catalogue holds can be true. */
@Command(
        name = "check",
        description = {
            "Looks for anomalies: gaps and overlaps, uploads and deletions that never ended, wrong heads, rows that can't be"
                    + " understood, and more. docs/audit.md explains each. What it finds while brokers write, it looks at again, so that"
                    + " work in flight is no anomaly.",
            "With --bootstrap-server it also finds segments of topics that the cluster no longer has, and knows each topic's retention; the"
                    + " client then needs the right to describe every topic. Exit code 1 when something is found. Needs an auditor's"
                    + " rights; changes nothing."
        },
        footer = {"", "Example:", "  shelfmark check --config auditor.properties --bootstrap-server broker:9092"})
final class CheckCommand extends AuditCommand {

    @Mixin
    private final CheckOptions options = new CheckOptions();

    @Option(
            names = "--only",
            paramLabel = "KIND",
            split = ",",
            description = "Tell only of anomalies of these kinds: ${COMPLETION-CANDIDATES}.")
    private Set<AnomalyKind> only = EnumSet.noneOf(AnomalyKind.class);

    @Option(
            names = "--metrics",
            paramLabel = "FILE",
            description =
                    "Also write how many anomalies of each kind there are, and since when, to FILE for node exporter's"
                            + " textfile collector. The name must end in .prom. FILE is replaced only by a check that ran to its end.")
    private @Nullable Path metrics;

    @Mixin
    private final OutputOption output = new OutputOption();

    CheckCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        CheckSettings settings = options.settings(surroundings);
        CheckMetrics written = metrics == null ? null : new CheckMetrics(metrics);
        ClusterTopics topics = options.topics(surroundings);
        CatalogueWalk walk = walk(listing);
        Map<AnomalyKind, Long> counts = new EnumMap<>(AnomalyKind.class);
        try (CatalogueStore store = target().target(surroundings).store();
                RowWriter rows = new RowWriter(
                        output.format(),
                        out(),
                        "kind",
                        "cluster",
                        "topic",
                        "topicId",
                        "partition",
                        "segmentId",
                        "startOffset",
                        "endOffset",
                        "epoch",
                        "since",
                        "detail")) {
            CatalogueCheck check = new CatalogueCheck(walk, store, settings, topics, anomaly -> {
                if (only.isEmpty() || only.contains(anomaly.finding().kind())) {
                    counts.merge(anomaly.finding().kind(), 1L, Long::sum);
                    if (written != null) {
                        written.add(anomaly);
                    }
                    print(rows, anomaly);
                }
            });
            check.run();
            endProgress();
            if (rows.rows() == 0 && output.format() == OutputFormat.TABLE) {
                rows.abandon();
            }
            summary(walk, check, counts);
            rows.complete();
        }
        if (written != null) {
            written.write(surroundings.clock().instant());
        }
        return counts.isEmpty() ? ExitCode.OK.code() : ExitCode.REFUSED.code();
    }

    private static void print(RowWriter rows, Anomaly anomaly) {
        Finding finding = anomaly.finding();
        rows.row(
                finding.kind(),
                anomaly.clusterId(),
                anomaly.topic(),
                anomaly.topicId(),
                anomaly.partition(),
                finding.segmentId(),
                finding.startOffset(),
                finding.endOffset(),
                finding.epoch(),
                finding.since(),
                finding.detail());
    }

    private void summary(CatalogueWalk walk, CatalogueCheck check, Map<AnomalyKind, Long> counts) {
        counts.forEach(
                (kind, count) -> err().println(count + " x " + kind + ": " + kind.meaning() + " " + kind.advice()));
        if (check.restless() > 0) {
            err().println("note: " + check.restless()
                    + " partitions changed during every look: their heads could not be compared; run it again");
        }
        err().println((counts.isEmpty() ? "nothing is wrong: " : "looked at ") + walk.partitions() + " partitions, "
                + walk.segments() + " segments");
    }
}
