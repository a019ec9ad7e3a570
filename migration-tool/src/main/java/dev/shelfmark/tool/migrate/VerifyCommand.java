package dev.shelfmark.tool.migrate;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.Table;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.verify.Difference;
import dev.shelfmark.tool.migrate.verify.Verification;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark verify}: the catalogue against Kafka's own cache. */
@Command(
        name = "verify",
        description = {
            "Rebuilds Kafka's own metadata cache from the topic __remote_log_metadata and compares every list, every lookup at a"
                    + " boundary and every highest offset with the catalogue; a partition that only the catalogue has is a difference, too. Works"
                    + " before and after the cluster is ready: partitions that brokers have changed since are compared with what the topic"
                    + " says of their past, and new ones are counted. Needs an auditor's rights; changes nothing.",
            "Exit code 1 when a difference is found that is not one of the expected, which docs/differences.md explains."
        },
        footer = {"", "Example:", "  shelfmark verify --config server.properties --bootstrap-server broker:9092"})
public final class VerifyCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Show at most N differences of each kind; all are counted. The default is ${DEFAULT-VALUE}.")
    private int limit = 50;

    @Option(
            names = "--show-expected",
            description = "Also show expected differences, such as read holes of Kafka's cache.")
    private boolean showExpected;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;
    private final Map<Difference.Kind, Long> counts = new EnumMap<>(Difference.Kind.class);
    private final List<Difference> shown = new ArrayList<>();

    public VerifyCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (limit < 0) {
            throw ToolFailure.usage("--limit must be 0 or more");
        }
        PrintWriter err = spec.commandLine().getErr();
        ProgressDisplay progress = new ProgressDisplay(err, surroundings.terminal(), System::nanoTime);
        Target where = target.target(surroundings);
        try (CatalogueListing listing = where.listing();
                CatalogueStore store = where.store();
                Brokers cluster = surroundings.brokers().connect(brokers.required())) {
            listing.verify();
            MetadataTopic topic = cluster.metadataTopic()
                    .orElseThrow(() -> ToolFailure.refused(
                            "the cluster has no topic " + MetadataTopic.NAME + ": there is nothing to compare with"));
            String id = cluster.clusterId();
            if (store.cluster(id).isEmpty()) {
                throw ToolFailure.refused(
                        "the store knows no cluster " + id + ": there is nothing to compare with; check --config");
            }
            Verification verification =
                    new Verification(store, listing, cluster, topic, progress, surroundings.stopped(), this::found);
            verification.run();
            progress.end();
            return print(verification, err);
        } finally {
            progress.end();
        }
    }

    private void found(Difference difference) {
        long seen = counts.merge(difference.kind(), 1L, Long::sum);
        if (seen <= limit && (showExpected || !difference.kind().expected())) {
            shown.add(difference);
        }
    }

    private int print(Verification verification, PrintWriter err) {
        Table table = new Table("kind", "topic", "topicId", "partition", "question", "kafka", "catalogue");
        shown.forEach(found -> table.row(
                found.kind(),
                found.topic(),
                found.topicId(),
                found.partition(),
                found.question(),
                found.kafka(),
                found.catalogue()));
        if (output != OutputFormat.TABLE || !shown.isEmpty()) {
            output.print(table, spec.commandLine().getOut());
        }
        long unexpected = counts.entrySet().stream()
                .filter(entry -> !entry.getKey().expected())
                .mapToLong(Map.Entry::getValue)
                .sum();
        counts.forEach(
                (kind, count) -> err.println((kind.expected() ? "expected  " : "different ") + count + " x " + kind));
        if (verification.misplaced() > 0) {
            err.println("note      " + verification.misplaced()
                    + " partitions have events in metadata partitions that Kafka does not read: not compared");
        }
        if (verification.newSince() > 0) {
            err.println(
                    "note      " + verification.newSince()
                            + " partitions are only in the catalogue, which brokers write now: there is nothing to compare them with");
        }
        if (verification.movedOn() > 0) {
            err.println("note      " + verification.movedOn()
                    + " partitions have changed since the topic was read: compared with their history");
        }
        err.println(String.format(
                Locale.ROOT,
                "%s: %,d partitions match (%,d lookups compared)",
                unexpected == 0 ? "OK" : String.format(Locale.ROOT, "%,d differences", unexpected),
                verification.same(),
                verification.questions()));
        return unexpected == 0 ? ExitCode.OK.code() : ExitCode.REFUSED.code();
    }
}
