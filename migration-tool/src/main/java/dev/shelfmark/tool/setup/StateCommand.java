package dev.shelfmark.tool.setup;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.StateMeaning;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.Table;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark state}: every cluster that the store knows. */
@Command(
        name = "state",
        description = {
            "Shows the clusters that the store knows, and whether the catalogue may speak for them.",
            "'shelfmark state set' changes a cluster's state."
        },
        footer = {
            "",
            "Example:",
            "  shelfmark state --config server.properties --output json",
        })
public final class StateCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Option(
            names = "--brokers",
            description =
                    "Show the last heartbeat of each broker instead: its mode, and the state of its cluster that it acts on.")
    private boolean brokers;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public StateCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (brokers) {
            printBrokers(out);
            return ExitCode.OK.code();
        }
        PrintWriter err = spec.commandLine().getErr();
        Table table = new Table("cluster", "state", "revision", "changedAt", "changedBy", "note");
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            for (ClusterRecord record : administration.clusters()) {
                table.row(
                        record.clusterId(),
                        StateMeaning.name(record.state()),
                        record.revision(),
                        record.changedAt(),
                        record.changedBy(),
                        record.note());
                StateMeaning.nextStep(record.state(), record.clusterId())
                        .ifPresent(step -> err.println("next     " + record.clusterId() + " is "
                                + StateMeaning.name(record.state()) + ": " + step));
            }
        }
        if (output == OutputFormat.TABLE && table.rows().isEmpty()) {
            out.println(
                    "no cluster is registered; 'shelfmark init' registers a new one, 'shelfmark import' one that has"
                            + " tiered before");
        } else {
            output.print(table, out);
        }
        return ExitCode.OK.code();
    }

    private void printBrokers(PrintWriter out) {
        Table table = new Table(
                "cluster", "broker", "mode", "version", "actsOn", "revision", "leaseMs", "writtenAt", "waitingFor");
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            for (ClusterRecord record : administration.clusters()) {
                for (BrokerHeartbeat beat : administration.heartbeats(record.clusterId())) {
                    ClusterState acknowledged = beat.acknowledged();
                    table.row(
                            beat.clusterId(),
                            beat.brokerId(),
                            beat.mode().name().toLowerCase(Locale.ROOT),
                            beat.version(),
                            acknowledged == null ? null : StateMeaning.name(acknowledged),
                            beat.acknowledgedRevision(),
                            beat.lease().toMillis(),
                            beat.at(),
                            beat.waitingFor());
                }
            }
        }
        if (output == OutputFormat.TABLE && table.rows().isEmpty()) {
            out.println("no broker has written a heartbeat");
        } else {
            output.print(table, out);
        }
    }
}
