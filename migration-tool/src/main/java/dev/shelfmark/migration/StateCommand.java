package dev.shelfmark.migration;

import dev.shelfmark.migration.outcome.ExitCode;
import dev.shelfmark.migration.output.OutputFormat;
import dev.shelfmark.migration.output.Table;
import dev.shelfmark.store.StoreAdministration;
import java.io.PrintWriter;
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
final class StateCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Surroundings surroundings;

    StateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Table table = new Table("cluster", "state", "revision", "changedAt", "changedBy", "note");
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            administration
                    .clusters()
                    .forEach(record -> table.row(
                            record.clusterId(),
                            StateMeaning.name(record.state()),
                            record.revision(),
                            record.changedAt(),
                            record.changedBy(),
                            record.note()));
        }
        if (output == OutputFormat.TABLE && table.rows().isEmpty()) {
            out.println("no cluster is registered; 'shelfmark init' registers a new one");
        } else {
            output.print(table, out);
        }
        return ExitCode.OK.code();
    }
}
