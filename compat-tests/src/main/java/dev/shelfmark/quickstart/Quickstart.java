package dev.shelfmark.quickstart;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command. Exit codes: 0 every record came back, 1 something went wrong on the way, 2 it could not begin. */
@Command(
        name = "bin/quickstart",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = {
            "Starts a database and a Kafka broker whose tiered-storage catalogue is in it, writes records, waits until they are"
                    + " in the remote tier only, kills the broker, starts it again, and reads every record back."
        },
        footer = {"", "Leaves nothing running and nothing behind, unless --keep asks for it."})
public final class Quickstart implements Callable<Integer> {

    static final int FAILED = 1;
    static final int CANNOT_BEGIN = 2;
    static final int INTERRUPTED = 130;

    @Option(names = "--root", hidden = true, required = true)
    private Path root = Path.of("");

    @Option(names = "--keep", description = "Leave everything up at the end, and print how to reach it.")
    private boolean keep;

    @Option(
            names = "--stop",
            description = "End and remove what an earlier run with --keep left up, and do nothing else.")
    private boolean stop;

    @Option(
            names = "--store",
            defaultValue = "jdbc",
            description =
                    "Where the catalogue is kept: jdbc (an embedded PostgreSQL) or dynamodb (an emulator: the one whose"
                            + " endpoint COMPAT_DYNAMODB_ENDPOINT names, else one in Docker, else one from npm; with --keep none in"
                            + " Docker). Default: ${DEFAULT-VALUE}.")
    private ShownStore store = ShownStore.jdbc;

    @Option(
            names = "--port",
            defaultValue = "0",
            description = "The broker's port on the loopback interface. Default: any free one.")
    private int port;

    @Option(names = "--records", defaultValue = "5000", description = "How many records. Default: ${DEFAULT-VALUE}.")
    private int records;

    private Quickstart() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new Quickstart());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println();
            command.getErr().println("quickstart: error: " + failure.getMessage());
            if (failure instanceof CannotBegin) {
                return CANNOT_BEGIN;
            }
            if (!(failure instanceof IllegalStateException)) {
                failure.printStackTrace(command.getErr());
            }
            return FAILED;
        });
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() {
        Narrator narrator = new Narrator(System.out);
        try (Workspace workspace = Workspace.claim()) {
            if (stop) {
                narrator.say(workspace.removeKept() ? "Ended and removed." : "Nothing was left up.");
                return 0;
            }
            Preflight.check(workspace.directory(), port);
            workspace.begin();
            try (Demonstration demonstration = new Demonstration(narrator, workspace, store, root, port, keep)) {
                demonstration.run(records);
            } catch (RuntimeException | AssertionError e) {
                if (workspace.exiting()) {
                    return INTERRUPTED;
                }
                throw e;
            }
            return 0;
        }
    }
}
