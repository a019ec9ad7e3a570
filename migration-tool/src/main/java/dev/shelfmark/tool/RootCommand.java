package dev.shelfmark.tool;

import dev.shelfmark.tool.failure.ExitCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code shelfmark} without a command: tells which there are. */
@Command(
        name = "shelfmark",
        synopsisSubcommandLabel = "COMMAND",
        description = "The catalogue of Kafka's tiered storage, kept in a database.",
        footer = {
            "",
            "Example: a new cluster on an empty database",
            "  shelfmark init --config server.properties --bootstrap-server broker:9092",
            "",
            "'shelfmark COMMAND --help' explains a command."
        },
        mixinStandardHelpOptions = true,
        versionProvider = RootCommand.Version.class)
public final class RootCommand implements Callable<Integer> {

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error, and what the libraries log.")
    private boolean debug;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public boolean debug() {
        return debug;
    }

    /** For the help: from {@link ExitCode}, so that it can't differ from what the command does. */
    static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        for (ExitCode exitCode : ExitCode.values()) {
            codes.put(" " + exitCode.code(), exitCode.meaning());
        }
        return codes;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** The build's version, from the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Shelfmark.class.getPackage().getImplementationVersion();
            return new String[] {"shelfmark " + (version == null ? "(unpackaged build)" : version)};
        }
    }
}
