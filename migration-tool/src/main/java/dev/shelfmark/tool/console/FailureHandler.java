package dev.shelfmark.tool.console;

import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells each failure once: one line on the error stream, and the exit code. */
public final class FailureHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine commandLine = failure.getCommandLine();
        // A missing --config is not worth the whole help; the next step is.
        return tell(
                commandLine,
                failure,
                ExitCode.USAGE,
                failure.getMessage() + " ('" + commandLine.getCommandSpec().qualifiedName() + " --help' explains)");
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
