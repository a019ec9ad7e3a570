package dev.shelfmark.tool;

import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.tool.audit.AuditCommands;
import dev.shelfmark.tool.console.FailureHandler;
import dev.shelfmark.tool.console.StopSignal;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.OutputNotWritten;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.KafkaBrokers;
import dev.shelfmark.tool.mend.rebuild.RebuildCommand;
import dev.shelfmark.tool.migrate.CutoverCommand;
import dev.shelfmark.tool.migrate.ExportCommand;
import dev.shelfmark.tool.migrate.ImportCommand;
import dev.shelfmark.tool.migrate.RollbackCommand;
import dev.shelfmark.tool.migrate.VerifyCommand;
import dev.shelfmark.tool.setup.AcceptRestoredCommand;
import dev.shelfmark.tool.setup.InitCommand;
import dev.shelfmark.tool.setup.StateCommand;
import dev.shelfmark.tool.setup.StateSetCommand;
import dev.shelfmark.tool.setup.UpgradeSchemaCommand;
import dev.shelfmark.tool.setup.plan.PlanCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.logging.LogManager;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The process: {@code main}, and how its command line is put together. */
public final class Shelfmark {

    private static final String KAFKA_CACHE_LOG_LEVEL =
            "org.slf4j.simpleLogger.log.org.apache.kafka.server.log.remote.metadata.storage";
    private static final String OUT_OF_MEMORY =
            "the command ran out of memory: give Java more, as with SHELFMARK_JAVA_OPTS=-Xmx1g";
    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Shelfmark() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        // Errors are told once, by the command itself; the libraries' own words help only who asked for them.
        if (System.getProperty(LOG_LEVEL) == null) {
            System.setProperty(LOG_LEVEL, Arrays.asList(args).contains("--debug") ? "info" : "off");
        }
        // PostgreSQL's driver has a log of its own, on the error stream unless told otherwise.
        if (!Arrays.asList(args).contains("--debug")) {
            LogManager.getLogManager().reset();
        }
        // Kafka's cache logs each event that it drops, which is what 'verify' reports, counted.
        System.setProperty(KAFKA_CACHE_LOG_LEVEL, "off");
        List<StoreProvider> providers = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        StopSignal stop = new StopSignal();
        ToolContext surroundings = new ToolContext(
                providers,
                KafkaBrokers::new,
                Clock.systemUTC(),
                System.getenv(),
                System.getProperty("user.name", "unknown"),
                Boolean.getBoolean("shelfmark.terminal"),
                stop);
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        int exit;
        try {
            exit = commandLine(surroundings, out, err).execute(args);
        } catch (OutOfMemoryError e) {
            // There was not even enough left to tell it as other failures are told; this line needs none, it is a
            // constant.
            System.err.println("shelfmark: error: " + OUT_OF_MEMORY);
            stop.ended();
            Runtime.getRuntime().halt(ExitCode.INTERNAL.code());
            return;
        }
        // It flushes by itself only at the ends of the platform's lines, and comma-separated values have others.
        out.flush();
        stop.ended();
        System.exit(exit);
    }

    static CommandLine commandLine(ToolContext surroundings, PrintWriter out, PrintWriter err) {
        CommandLine state = command(new StateCommand(surroundings))
                .addSubcommand(command(new StateSetCommand(surroundings)))
                .addSubcommand(command(new AcceptRestoredCommand(surroundings)));
        CommandLine root = withExitCodes(new CommandLine(new RootCommand()));
        root.addSubcommand(command(new InitCommand(surroundings)))
                .addSubcommand(command(new UpgradeSchemaCommand(surroundings)))
                .addSubcommand(command(new ImportCommand(surroundings)))
                .addSubcommand(command(new VerifyCommand(surroundings)))
                .addSubcommand(command(new CutoverCommand(surroundings)))
                .addSubcommand(command(new ExportCommand(surroundings)))
                .addSubcommand(command(new RollbackCommand(surroundings)))
                .addSubcommand(state);
        AuditCommands.of(surroundings).forEach(audit -> root.addSubcommand(command(audit)));
        root.addSubcommand(command(new RebuildCommand(surroundings)));
        root.addSubcommand(command(new PlanCommand()));
        AuditCommands.registerConverters(root, surroundings.clock());
        CommandGroups.show(root);
        return root.setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(parsed -> execute(parsed, out))
                .setParameterExceptionHandler(new FailureHandler())
                .setExecutionExceptionHandler(new FailureHandler());
    }

    private static int execute(ParseResult parsed, PrintWriter out) {
        int exit;
        try {
            exit = new RunLast().execute(parsed);
        } catch (OutOfMemoryError e) {
            throw failed(parsed, ToolFailure.internal(OUT_OF_MEMORY, e));
        } catch (StackOverflowError | LinkageError e) {
            String message = "this is a fault of the command itself: " + e + "; --debug shows where";
            throw failed(parsed, ToolFailure.internal(message, e));
        }
        // A print writer keeps to itself that a disk is full.
        if (out.checkError()) {
            throw failed(parsed, ToolFailure.usage(OutputNotWritten.MESSAGE));
        }
        return exit;
    }

    /** The form in which picocli hands a failure to {@link FailureHandler}. */
    private static ExecutionException failed(ParseResult parsed, ToolFailure failure) {
        return new ExecutionException(
                parsed.commandSpec().commandLine(), String.valueOf(failure.getMessage()), failure);
    }

    private static CommandLine command(Object command) {
        CommandLine commandLine = withExitCodes(new CommandLine(command));
        commandLine
                .getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Explain the command and exit.")
                        .build());
        return commandLine;
    }

    private static CommandLine withExitCodes(CommandLine commandLine) {
        commandLine
                .getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(RootCommand.exitCodes());
        return commandLine;
    }
}
