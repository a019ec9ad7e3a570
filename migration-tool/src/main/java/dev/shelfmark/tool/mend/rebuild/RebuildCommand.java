package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.storage.ObjectSource;
import dev.shelfmark.tool.storage.S3Bucket;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark rebuild}: makes the catalogue from what is in the remote storage. */
@Command(
        name = "rebuild",
        description = {
            "Brings the segments that are in the remote storage into the catalogue: into an empty one, or into an older one that was"
                    + " restored from a backup. Only while the cluster is restoring; one that the store does not know is registered so."
                    + " Needs the owner's rights.",
            "Nothing is deleted, and no row that is there is overwritten: what contradicts the storage is reported. A run that was stopped is"
                    + " finished by the next; a run on a complete catalogue changes nothing. docs/rebuild.md tells the whole procedure, and"
                    + " what can't be known. Exit code 1 when a segment needs a person to look at it; the others are brought in all the same."
        },
        footer = {
            "",
            "Example: what would be brought in, then do it, then let the brokers have it",
            "  shelfmark rebuild --config owner.properties --bootstrap-server broker:9092 \\",
            "      --bucket tier --layout aiven --dry-run --plan plan.jsonl",
            "  shelfmark rebuild --config owner.properties --bootstrap-server broker:9092 \\",
            "      --bucket tier --layout aiven",
            "  shelfmark state set MkU3OEVBNTcwNTJENDM2Qg ready --yes --note rebuilt --config owner.properties"
        })
public final class RebuildCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Mixin
    private final SourceOptions source = new SourceOptions();

    @Mixin
    private final LayoutOptions layout = new LayoutOptions();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            description = "The Kafka cluster; not needed with --bootstrap-server.")
    private @Nullable String cluster;

    @Option(
            names = "--dry-run",
            description = "Read and compare everything, change nothing; the report is as it would be.")
    private boolean dryRun;

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = "Write what is done with each segment, and why, to FILE, a line of JSON each.")
    private @Nullable Path plan;

    @Option(
            names = "--include-below-log-start",
            description = "Bring in segments that end below their log start offset, too; brokers then delete them.")
    private boolean includeBelowLogStart;

    @Option(
            names = "--include-unknown-topics",
            description =
                    "Bring in segments of topics that the brokers or, without --bootstrap-server, the catalogue do not know, too. They"
                            + " may be another cluster's.")
    private boolean includeUnknownTopics;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "32",
            description = "Read up to N segments at once. The default is ${DEFAULT-VALUE}.")
    private int requests = 32;

    @Option(
            names = "--requests-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = "Begin to read at most N segments a second; 0, the default, is no limit.")
    private double requestsPerSecond;

    @Option(
            names = "--clock-skew",
            paramLabel = "AGE",
            defaultValue = "5m",
            description =
                    "How far the storage's clock may be ahead of this machine's. The default is ${DEFAULT-VALUE}.")
    private Duration clockSkew = Duration.ofMinutes(5);

    @Option(
            names = "--work-directory",
            paramLabel = "DIR",
            description = "Where temporary files are written, about 1 KB for each segment; the default is Java's.")
    private Path workDirectory = Path.of(System.getProperty("java.io.tmpdir", "."));

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "Form of the report: ${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public RebuildCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (requests < 1 || requests > S3Bucket.MOST_CONNECTIONS) {
            throw ToolFailure.usage("--requests must be from 1 to " + S3Bucket.MOST_CONNECTIONS);
        }
        SegmentLayout chosen = layout.layout();
        Target store = target.target(surroundings);
        if (plan != null) {
            FileErrors.ensureWritable("--plan", plan);
        }
        try (ObjectSource objects = source.open()) {
            if (brokers.connection().isEmpty()) {
                return run(store, chosen, objects, null);
            }
            try (Brokers asked =
                    surroundings.brokers().connect(brokers.connection().get())) {
                return run(store, chosen, objects, asked);
            }
        }
    }

    private int run(Target target, SegmentLayout chosen, ObjectSource objects, @Nullable Brokers asked) {
        RebuildSettings settings = settings(clusterId(asked));
        PrintWriter err = spec.commandLine().getErr();
        ProgressDisplay progress = new ProgressDisplay(err, surroundings.terminal(), System::nanoTime);
        try (StoreAdministration administration = target.administration();
                CatalogueStore store = target.store();
                PlanFile planFile = plan == null ? null : new PlanFile(plan)) {
            store.verify();
            RebuildOutput told = new RebuildOutput(err, progress, planFile);
            if (dryRun) {
                RestoringGate.require(administration, settings.clusterId());
                rebuild(target, settings, chosen, asked, store, null, told).run(objects, surroundings.stopped());
            } else {
                try (RestoringGate gate = RestoringGate.open(
                        administration,
                        settings.clusterId(),
                        surroundings.clock(),
                        surroundings.user(),
                        told::notice)) {
                    CatalogueWriter writer = new CatalogueWriter(store, gate::check);
                    rebuild(target, settings, chosen, asked, store, writer, told)
                            .run(objects, surroundings.stopped());
                }
            }
            progress.end();
            return report(settings, told.report(), asked != null);
        } finally {
            progress.end();
        }
    }

    private static Rebuild rebuild(
            Target target,
            RebuildSettings settings,
            SegmentLayout chosen,
            @Nullable Brokers asked,
            CatalogueStore store,
            @Nullable CatalogueWriter writer,
            RebuildListener listener) {
        ClusterTopics topics;
        try (CatalogueListing listing = target.listing()) {
            topics = TopicFacts.collect(listing, settings.clusterId(), asked);
        }
        return new Rebuild(settings, chosen, topics, store, writer, listener);
    }

    private String clusterId(@Nullable Brokers asked) {
        if (asked == null) {
            if (cluster == null) {
                throw ToolFailure.usage("which cluster? Give --bootstrap-server HOST:PORT, or --cluster ID");
            }
            return cluster;
        }
        String told = asked.clusterId();
        if (cluster != null && !cluster.equals(told)) {
            throw ToolFailure.refused("the brokers form the cluster " + told + ", not " + cluster);
        }
        return told;
    }

    private RebuildSettings settings(String clusterId) {
        return new RebuildSettings(
                clusterId,
                requests,
                requestsPerSecond,
                includeBelowLogStart,
                includeUnknownTopics,
                surroundings.clock().instant().plus(clockSkew),
                workDirectory);
    }

    private int report(RebuildSettings settings, RebuildReport report, boolean askedBrokers) {
        output.print(report.table(), spec.commandLine().getOut());
        new RebuildSummary(report, spec.commandLine().getErr()).print(settings.clusterId(), dryRun, askedBrokers);
        return report.trouble() ? ExitCode.REFUSED.code() : ExitCode.OK.code();
    }
}
