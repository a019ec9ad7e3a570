package dev.shelfmark.tool.audit;

import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PacedListing;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands that go through the catalogue have in common: the store, which part of it, and how gently. */
abstract class AuditCommand implements Callable<Integer> {

    private static final int PAGE_SIZE = CatalogueListing.MAX_PAGE;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(
            names = "--cluster",
            paramLabel = "ID",
            description = "Only this Kafka cluster; the default is every one in the catalogue.")
    private @Nullable String cluster;

    @Option(
            names = "--topic",
            paramLabel = "PATTERN",
            description =
                    "Only topics of this name, in which * stands for any characters and ? for one, or of this id.")
    private @Nullable String topic;

    @Option(
            names = "--partition",
            paramLabel = "N",
            split = ",",
            description = "Only partitions of these numbers, separated by commas.")
    private Set<Integer> partitions = new HashSet<>();

    @Option(
            names = "--rows-per-second",
            paramLabel = "N",
            defaultValue = "20000",
            description =
                    "Ask the store for at most N rows a second, so that its brokers do not notice; a request counts for 100"
                            + " rows at least. The default is ${DEFAULT-VALUE}.")
    private double rowsPerSecond = 20_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    final ToolContext surroundings;
    private @Nullable ProgressDisplay progress;

    AuditCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public final Integer call() {
        if (!(rowsPerSecond > 0)) {
            throw ToolFailure.usage("--rows-per-second must be above 0");
        }
        if (partitions.stream().anyMatch(number -> number < 0)) {
            throw ToolFailure.usage("--partition must be 0 or more");
        }
        ProgressDisplay shown = new ProgressDisplay(err(), surroundings.terminal(), System::nanoTime);
        progress = shown;
        try (CatalogueListing listing =
                PacedListing.of(target.target(surroundings).listing(), rowsPerSecond)) {
            listing.verify();
            return run(listing);
        } finally {
            shown.end();
        }
    }

    /** Does the work; what it returns is the exit code. */
    abstract int run(CatalogueListing listing);

    final TargetOptions target() {
        return target;
    }

    final PartitionFilter filter() {
        return new PartitionFilter(cluster, topic, partitions);
    }

    final CatalogueWalk walk(CatalogueListing listing) {
        return new CatalogueWalk(listing, filter(), PAGE_SIZE, surroundings.stopped(), this::pagePassed);
    }

    private void pagePassed(CatalogueWalk walk) {
        if (progress != null) {
            progress.soFar(() -> String.format(
                    Locale.ROOT,
                    "looked at %,d %s of %,d partitions",
                    walk.changes() > 0 ? walk.changes() : walk.segments(),
                    walk.changes() > 0 ? "changes" : "segments",
                    walk.partitions()));
        }
    }

    /** Takes the progress away before results are printed to the same screen. */
    final void endProgress() {
        if (progress != null) {
            progress.end();
        }
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Tells of a row that can't be understood; the command goes on. */
    final void unreadable(CatalogueWalk.UnreadablePartition row) {
        endProgress();
        err().println("warning: partition " + row.id() + " of cluster " + row.clusterId() + " can't be read: "
                + row.reason());
    }
}
