package dev.shelfmark.tool.failure;

import org.jspecify.annotations.Nullable;

/** Why the command could not do what it was asked. The message is one line for an operator: what, where and the next step. */
public final class ToolFailure extends RuntimeException {

    private final ExitCode exitCode;

    private ToolFailure(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Something speaks against it; a person must decide. */
    public static ToolFailure refused(String message) {
        return new ToolFailure(ExitCode.REFUSED, message, null);
    }

    /** The command line or a configuration file is wrong. */
    public static ToolFailure usage(String message) {
        return new ToolFailure(ExitCode.USAGE, message, null);
    }

    /** The command line or a configuration file is wrong, as this says. */
    public static ToolFailure usage(String message, Throwable cause) {
        return new ToolFailure(ExitCode.USAGE, message, cause);
    }

    /** The store failed. */
    public static ToolFailure store(String message, @Nullable Throwable cause) {
        return new ToolFailure(ExitCode.STORE, message, cause);
    }

    /** The remote storage failed. */
    public static ToolFailure storage(String message, Throwable cause) {
        return new ToolFailure(ExitCode.STORAGE, message, cause);
    }

    /** The Kafka cluster failed, or holds what can't be read. */
    public static ToolFailure kafka(String message, @Nullable Throwable cause) {
        return new ToolFailure(ExitCode.KAFKA, message, cause);
    }

    /** The command itself is at fault, or the machine that it runs on. */
    public static ToolFailure internal(String message, Throwable cause) {
        return new ToolFailure(ExitCode.INTERNAL, message, cause);
    }

    /** A failure of the same kind, of which there is more to tell. */
    public static ToolFailure as(Exception failure, String message) {
        return new ToolFailure(ExitCode.of(failure), message, failure);
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
