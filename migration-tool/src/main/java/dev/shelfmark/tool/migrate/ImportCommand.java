package dev.shelfmark.tool.migrate;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.Json;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.TopicInfo;
import dev.shelfmark.tool.migrate.importing.ImportEnd;
import dev.shelfmark.tool.migrate.importing.ImportPreflight;
import dev.shelfmark.tool.migrate.importing.ImportReport;
import dev.shelfmark.tool.migrate.importing.PreflightFinding;
import dev.shelfmark.tool.migrate.importing.SkippedEvents;
import dev.shelfmark.tool.migrate.importing.TopicImport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark import}: the history of a cluster that has tiered before. */
@Command(
        name = "import",
        description = {
            "Brings in what Kafka's default keeps in the topic __remote_log_metadata. The cluster becomes 'importing': brokers"
                    + " are not answered from the catalogue until somebody declares it ready.",
            "Nothing is ever written to the Kafka cluster. A run that was stopped or killed is finished by the next: the same"
                    + " command goes on where it was. Two at once: the second is refused."
        },
        footer = {
            "",
            "Example: what would come in, then do it and follow what arrives until Ctrl-C",
            "  shelfmark import --config server.properties --dry-run \\",
            "      --bootstrap-server broker:9092 --command-config client.properties",
            "  shelfmark import --config server.properties --follow \\",
            "      --bootstrap-server broker:9092 --command-config client.properties"
        })
public final class ImportCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Option(
            names = "--cluster-id",
            paramLabel = "ID",
            description = "Refuse if the brokers form another cluster than ID.")
    private @Nullable String clusterId;

    @Option(
            names = "--dry-run",
            description = "Check and read everything, write nothing; the report is as it would be.")
    private boolean dryRun;

    @Option(
            names = "--follow",
            description = "Then go on with what arrives, until the cluster is no longer importing or Ctrl-C.")
    private boolean follow;

    @Option(
            names = ImportPreflight.ACCEPT_TRUNCATED,
            description = "Import what is left although a part of the history is or may be gone.")
    private boolean acceptTruncated;

    @Option(
            names = "--skipped-events",
            paramLabel = "FILE",
            description = "Append events that changed nothing to FILE, a line of JSON each; the default is"
                    + " shelfmark-skipped-CLUSTER.jsonl in the working directory. Exact repeats are only counted.")
    private @Nullable Path skippedEvents;

    @Option(names = "--report", paramLabel = "FILE", description = "Also write the report to FILE, as JSON.")
    private @Nullable Path report;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "Form of the report: ${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;
    private boolean refused;

    public ImportCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Target store = target.target(surroundings);
        if (report != null) {
            FileErrors.ensureWritable("--report", report);
        }
        if (skippedEvents != null) {
            FileErrors.ensureWritable("--skipped-events", skippedEvents);
        }
        ProgressDisplay progress = new ProgressDisplay(err, surroundings.terminal(), System::nanoTime);
        try (Brokers cluster = surroundings.brokers().connect(brokers.required())) {
            String id = cluster.clusterId();
            if (clusterId != null && !clusterId.equals(id)) {
                throw ToolFailure.refused("the brokers form the cluster " + id + ", not " + clusterId
                        + " as --cluster-id says; check both");
            }
            Optional<MetadataTopic> topic = cluster.metadataTopic();
            Map<Uuid, TopicInfo> topics = cluster.topics();
            ImportPreflight preflight = new ImportPreflight(acceptTruncated);
            List<PreflightFinding> findings = new ArrayList<>(preflight.source(topic, topics.values()));
            try (StoreAdministration administration = store.administration()) {
                ImportingState gate = new ImportingState(administration, surroundings, id, preflight, progress::line);
                findings.addAll(gate.findings());
                decide(findings, err);
                MetadataTopic source = topic.orElseThrow(() -> ToolFailure.refused("there is nothing to read"));
                Set<UUID> existing =
                        topics.keySet().stream().map(KafkaMapping::uuid).collect(Collectors.toSet());
                try (ImportingState.Way way = dryRun
                        ? gate.rehearsal(source, cluster::metadataTopic)
                        : gate.open(source, cluster::metadataTopic, store)) {
                    decide(way.findings(), err);
                    return bringIn(id, cluster, source, existing, way.store(), way.loader(), progress);
                }
            }
        } finally {
            progress.end();
        }
    }

    /** Prints what was found, and ends here if something speaks against it. */
    private void decide(List<PreflightFinding> findings, PrintWriter err) {
        for (PreflightFinding finding : findings) {
            switch (finding.verdict()) {
                case OK -> err.println("ok       " + finding.text());
                case WARNING -> err.println("warning  " + finding.text());
                case REFUSED -> {
                    if (!dryRun) {
                        throw ToolFailure.refused(finding.text());
                    }
                    refused = true;
                    err.println("refused  " + finding.text());
                }
            }
        }
    }

    private int bringIn(
            String id,
            Brokers cluster,
            MetadataTopic topic,
            Set<UUID> existing,
            CatalogueStore store,
            BulkLoader loader,
            ProgressDisplay progress) {
        long startedAt = System.nanoTime();
        Path skippedFile = skippedEvents != null ? skippedEvents : SkippedEvents.defaultFile(id);
        try (MetadataReader reader = cluster.reader();
                SkippedEvents skipped = SkippedEvents.in(skippedFile)) {
            TopicImport history = new TopicImport(
                    store,
                    loader,
                    id,
                    topic,
                    reader,
                    skipped,
                    progress,
                    surroundings.stopped(),
                    TopicImport.Limits.DEFAULT);
            ImportEnd ending = history.history();
            if (ending == ImportEnd.COMPLETE && follow && !dryRun) {
                ending = history.follow();
            }
            progress.end();
            double seconds = (System.nanoTime() - startedAt) / 1e9;
            print(
                    new ImportReport(id, ending, dryRun, history.tally(), existing, seconds),
                    skipped.count(),
                    skippedFile);
        }
        return refused ? ExitCode.REFUSED.code() : ExitCode.OK.code();
    }

    private void print(ImportReport result, long skipped, Path skippedFile) {
        PrintWriter out = spec.commandLine().getOut();
        if (output == OutputFormat.JSON) {
            out.println(Json.pretty(result.object()));
        } else {
            output.print(result.topics(), out);
            if (!result.dropped().rows().isEmpty()) {
                out.println();
                output.print(result.dropped(), out);
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        result.attention().forEach((line, count) -> err.println("note     " + count + " " + line));
        if (skipped > 0) {
            err.println("note     " + skipped + " skipped events are in " + skippedFile);
        }
        err.println(nextStep(result));
        if (report != null) {
            try {
                Files.writeString(report, Json.pretty(result.object()) + "\n", StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw ToolFailure.usage(
                        "the import is done, but its report can't be written to " + report + ": "
                                + FileErrors.reason(e),
                        e);
            }
        }
    }

    private String nextStep(ImportReport result) {
        if (result.dryRun()) {
            return "nothing was written; without --dry-run this is " + (refused ? "refused" : "imported");
        }
        return switch (result.ending()) {
            case COMPLETE -> "the history is in; the cluster stays importing. Next: 'shelfmark verify', or --follow";
            case STOPPED -> "stopped as told; the same command goes on from here";
            case SWITCHED -> "the cluster is no longer importing, so this ends";
        };
    }
}
