package dev.shelfmark.tool.setup;

import dev.shelfmark.store.BrokerProgress.Regression;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shelfmark state accept-restored}: brokers may believe a catalogue that they refuse because it went back. */
@Command(
        name = "accept-restored",
        description = {
            "Lets brokers use a catalogue that they refuse because it is older than what they have seen, or is another one: after a"
                    + " backup was restored, a standby without every change was promoted, or the catalogue was rebuilt.",
            "Shows what the brokers reported, and changes nothing without --yes. Reconcile the catalogue with the remote"
                    + " storage first: what it lacks is lost to the brokers from then on."
        },
        footer = {
            "",
            "Example:",
            "  shelfmark state accept-restored MkU3OEVBNTcwNTJENDM2Qg --yes \\",
            "      --config server.properties"
        })
public final class AcceptRestoredCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "The cluster's id.")
    private String clusterId = "";

    @Option(
            names = "--replaces",
            paramLabel = "ID",
            split = ",",
            description =
                    "Also take the place of the catalogues with these ids, as in the log of a broker that is down.")
    private List<String> replaces = new ArrayList<>();

    @Option(names = "--yes", description = "Accept it.")
    private boolean yes;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public AcceptRestoredCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            if (!(administration instanceof ProgressAcceptance acceptance)) {
                throw ToolFailure.refused("this store does not keep how far brokers have brought a catalogue");
            }
            if (administration.cluster(clusterId).isEmpty()) {
                throw ToolFailure.refused("the store knows no cluster " + clusterId + "; look at 'shelfmark state'");
            }
            accept(acceptance, out);
        }
        return ExitCode.OK.code();
    }

    private void accept(ProgressAcceptance acceptance, PrintWriter out) {
        Optional<CatalogueProgress> found = acceptance.progress(clusterId);
        Set<String> replaced = new TreeSet<>(replaces);
        boolean reported = false;
        if (found.isPresent()) {
            CatalogueProgress progress = found.get();
            for (var broker : progress.brokers()) {
                Regression regression = broker.regression();
                if (regression.catalogueId().equals(progress.catalogueId())) {
                    reported = true;
                    out.println("broker " + broker.brokerId() + " reports: " + regression.reason());
                    replaced.addAll(regression.seenIds());
                }
            }
            replaced.add(progress.catalogueId());
            replaced.addAll(progress.replaces());
        }
        if (!reported && replaces.isEmpty()) {
            out.println("no broker refuses the catalogue of cluster " + clusterId + "; nothing was changed");
            return;
        }
        if (!yes) {
            throw ToolFailure.refused("nothing was changed. When the catalogue of cluster " + clusterId
                    + " is reconciled with the remote storage, --yes accepts it");
        }
        String next = TextualId.of(UUID.randomUUID());
        if (!acceptance.accept(clusterId, found.map(CatalogueProgress::catalogueId), next, replaced)) {
            throw ToolFailure.refused("somebody else accepted the catalogue of cluster " + clusterId
                    + " meanwhile; run this again to see what brokers report now");
        }
        out.println("accepted: the catalogue of cluster " + clusterId + " is " + next + " now, in the place of "
                + String.join(", ", replaced));
    }
}
