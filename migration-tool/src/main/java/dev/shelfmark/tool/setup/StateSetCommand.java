package dev.shelfmark.tool.setup;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.cluster.StateMeaning;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shelfmark state set}: changes one cluster's state. */
@Command(
        name = "set",
        description = {
            "Changes a cluster's state. Brokers notice within moments.",
            "  importing  history is being brought in: brokers in bridge mode use Kafka's topic, others get no answers",
            "  ready      brokers are answered from the catalogue",
            "  bridged    brokers in bridge mode use Kafka's topic again, others get no answers",
            "  restoring  brokers get no answers: a backup is being restored",
            "'shelfmark cutover' and 'shelfmark rollback' go through draining_to_ready and draining_to_bridged, in which writes wait; setting"
                    + " the state before it (importing, ready) gives such a way up.",
            "A change that can lose data or stop tiering is refused without --yes, which tells the risk."
        },
        footer = {
            "",
            "Example: keep brokers from believing a catalogue that a backup is restored into",
            "  shelfmark state set MkU3OEVBNTcwNTJENDM2Qg restoring --yes \\",
            "      --note 'restoring the backup of 3 May' --config server.properties"
        })
public final class StateSetCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "The cluster's id.")
    private String clusterId = "";

    @Parameters(index = "1", paramLabel = "STATE", description = "One of ${COMPLETION-CANDIDATES}, in any case.")
    private ClusterState next = ClusterState.IMPORTING;

    @Option(names = "--note", required = true, paramLabel = "TEXT", description = "Why; kept with the state.")
    private String note = "";

    @Option(names = "--yes", description = "Do it although it is dangerous.")
    private boolean yes;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public StateSetCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            ClusterRecord current = administration
                    .cluster(clusterId)
                    .orElseThrow(() -> ToolFailure.refused("the store knows no cluster " + clusterId
                            + "; 'shelfmark init' registers a new one, 'shelfmark import' one that has tiered before"));
            if (current.state() == next) {
                out.println(
                        "cluster " + clusterId + " is already " + StateMeaning.name(next) + "; nothing was changed");
                return ExitCode.OK.code();
            }
            change(administration, current);
        }
        out.println("cluster " + clusterId + " is " + StateMeaning.name(next) + ": " + StateMeaning.forBrokers(next));
        return ExitCode.OK.code();
    }

    private void change(StoreAdministration administration, ClusterRecord current) {
        String change = StateMeaning.name(current.state()) + " to " + StateMeaning.name(next);
        Optional<String> risk = StateMeaning.risk(current.state(), next);
        if (risk.isPresent() && !yes) {
            throw ToolFailure.refused("from " + change + " is dangerous: " + risk.get() + ". --yes does it");
        }
        if (new ClusterRecords(administration, surroundings.clock(), surroundings.user())
                .put(clusterId, next, current.revision() + 1, note)
                .isEmpty()) {
            throw ToolFailure.refused(
                    "somebody else changed cluster " + clusterId + " meanwhile, so it was not moved from " + change
                            + "; look at 'shelfmark state' and decide again");
        }
    }
}
