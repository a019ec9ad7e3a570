package dev.shelfmark.tool.console;

import dev.shelfmark.kafka.NearestName;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells each failure once: one line on the error stream, and the exit code. */
public final class FailureHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine commandLine = failure.getCommandLine();
        String message = failure instanceof UnmatchedArgumentException unmatched
                ? unmatched(commandLine, unmatched.getUnmatched())
                : failure.getMessage();
        // A missing --config is not worth the whole help; the next step is.
        return tell(
                commandLine,
                failure,
                ExitCode.USAGE,
                message + " ('" + commandLine.getCommandSpec().qualifiedName() + " --help' explains)");
    }

    /** Only the first argument that fits nowhere is named: what follows it may be its value, or a secret. */
    private static String unmatched(CommandLine commandLine, List<String> arguments) {
        String first = arguments.get(0);
        CommandSpec spec = commandLine.getCommandSpec();
        boolean option = first.startsWith("-");
        if (!option && spec.subcommands().isEmpty()) {
            return "unexpected argument '" + first + "': '" + spec.qualifiedName() + "' takes options only";
        }
        String name = option ? first.replaceFirst("=.*", "") : first;
        return (option ? "unknown option '" : "unknown command '") + name + "'"
                + NearestName.of(
                                name,
                                option ? optionNames(spec) : spec.subcommands().keySet())
                        .map(nearest -> "; did you mean '" + nearest + "'?")
                        .orElse("");
    }

    private static List<String> optionNames(CommandSpec spec) {
        return spec.optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .toList();
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine commandLine, ParseResult result) {
        ExitCode exitCode = ExitCode.of(failure);
        if (exitCode == ExitCode.INTERNAL && !(failure instanceof ToolFailure)) {
            String what = "this is a fault of the command itself: " + failure;
            return tell(commandLine, failure, exitCode, what + "; --debug shows where");
        }
        return tell(commandLine, failure, exitCode, String.valueOf(failure.getMessage()));
    }

    private static int tell(CommandLine commandLine, Exception failure, ExitCode exitCode, String message) {
        PrintWriter err = commandLine.getErr();
        err.println("shelfmark: error: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        boolean debug = Boolean.TRUE.equals(
                commandLine.getCommandSpec().root().findOption("--debug").getValue());
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return exitCode.code();
    }
}
