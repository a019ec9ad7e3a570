package dev.shelfmark.tool.setup;

import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.admin.StoreAdministration.SchemaStatus;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark upgrade-schema}: the schema, and nothing else. */
@Command(
        name = "upgrade-schema",
        description = {
            "Creates the store's schema or brings it up to this build's version. Registers no cluster.",
            "Run it with the schema owner's login before brokers of a new version start; running it again is harmless."
        },
        footer = {
            "",
            "Example: what is pending, then do it",
            "  shelfmark upgrade-schema --config server.properties --dry-run",
            "  shelfmark upgrade-schema --config server.properties"
        })
public final class UpgradeSchemaCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(names = "--dry-run", description = "Print what is pending; change nothing.")
    private boolean dryRun;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public UpgradeSchemaCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (StoreAdministration administration = target.target(surroundings).administration()) {
            if (dryRun) {
                SchemaStatus status = administration.schema();
                status.pending().forEach(line -> out.println("pending: " + line));
                out.println("schema version " + status.current() + ", this build's is " + status.supported()
                        + (status.pending().isEmpty() ? ": nothing is pending" : "; nothing was changed"));
            } else {
                administration.migrate().forEach(out::println);
                out.println(
                        "the schema is at version " + administration.schema().current());
            }
        }
        return ExitCode.OK.code();
    }
}
