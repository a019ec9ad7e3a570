package dev.shelfmark.tool.audit;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.audit.check.CatalogueCheck;
import dev.shelfmark.tool.audit.check.CheckSettings;
import dev.shelfmark.tool.audit.check.ClusterTopics;
import dev.shelfmark.tool.audit.report.ReportWriter;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.FileErrors;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark report}: one HTML file about the catalogue. */
@Command(
        name = "report",
        description = {
            "Writes one self-contained HTML file about the catalogue: totals, growth, the biggest topics, every partition as a map along its"
                    + " offsets by leader epoch and state, and the anomalies that 'check' finds, with their explanation. It needs no network"
                    + " to be read.",
            "Needs an auditor's rights; asks brokers only with --bootstrap-server."
        },
        footer = {"", "Example:", "  shelfmark report --config auditor.properties --file tiered.html"})
final class ReportCommand extends AuditCommand {

    @Option(
            names = "--file",
            paramLabel = "FILE",
            defaultValue = "shelfmark-report.html",
            description = "Where to write it; replaced when it is there. The default is ${DEFAULT-VALUE}.")
    private Path file = Path.of("shelfmark-report.html");

    @Mixin
    private final CheckOptions options = new CheckOptions();

    ReportCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        FileErrors.ensureWritable("--file", file);
        CheckSettings settings = options.settings(surroundings);
        ClusterTopics topics = options.topics(surroundings);
        Instant now = surroundings.clock().instant();
        CatalogueWalk walk = walk(listing);
        try (CatalogueStore store = target().target(surroundings).store()) {
            ReportWriter report =
                    new ReportWriter(walk, found -> new CatalogueCheck(walk, store, settings, topics, found), now);
            report.write(file, scope(), version());
            endProgress();
            err().println(String.format(
                    Locale.ROOT,
                    "wrote %s: %,d partitions, %,d anomalies",
                    file,
                    walk.partitions(),
                    report.anomalies()));
        }
        return ExitCode.OK.code();
    }

    private String scope() {
        PartitionFilter filter = filter();
        String everything = filter.equals(PartitionFilter.ALL) ? "Every cluster" : filter.toString();
        return everything.substring(0, 1).toUpperCase(Locale.ROOT) + everything.substring(1);
    }

    private static String version() {
        String version = ReportCommand.class.getPackage().getImplementationVersion();
        return "Shelfmark " + (version == null ? "(unpackaged build)" : version);
    }
}
