package dev.shelfmark.migration;

import dev.shelfmark.migration.outcome.ExitCode;
import dev.shelfmark.migration.outcome.ToolFailure;
import dev.shelfmark.store.StoreException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells each failure once: one line on the error stream, and the exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

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
        if (failure instanceof ToolFailure toolFailure) {
            return tell(commandLine, failure, toolFailure.exitCode(), String.valueOf(failure.getMessage()));
        } else if (failure instanceof StoreException) {
            return tell(commandLine, failure, ExitCode.STORE, String.valueOf(failure.getMessage()));
        }
        String what = "this is a fault of the command itself: " + failure;
        return tell(commandLine, failure, ExitCode.INTERNAL, what + "; --debug shows where");
    }

    private static int tell(CommandLine commandLine, Exception failure, ExitCode exitCode, String message) {
        PrintWriter err = commandLine.getErr();
        err.println("shelfmark: error: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        boolean debug = commandLine.getCommandSpec().root().userObject() instanceof RootCommand root && root.debug();
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return exitCode.code();
    }
}
