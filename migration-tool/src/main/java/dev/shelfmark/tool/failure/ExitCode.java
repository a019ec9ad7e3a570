package dev.shelfmark.tool.failure;

import dev.shelfmark.store.StoreException;

/** What the command's exit code tells a script. */
public enum ExitCode {
    OK(0, "Done, or nothing was to be done."),
    REFUSED(
            1,
            "Refused for a reason that the message names, or a check found a difference. Nothing was changed by a refusal."),
    USAGE(2, "The command line or the configuration is wrong."),
    STORE(3, "The store can't be reached, denies access, or its schema does not fit this build."),
    KAFKA(4, "The Kafka cluster can't be reached, denies access, or holds what can't be read."),
    INTERNAL(5, "A fault of the command itself; --debug shows where."),
    STORAGE(6, "The remote storage can't be reached or denies access.");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** What a failure means, whoever meets it. */
    public static ExitCode of(Exception failure) {
        if (failure instanceof ToolFailure told) {
            return told.exitCode();
        }
        return failure instanceof StoreException ? STORE : INTERNAL;
    }

    /** The process's exit code. */
    public int code() {
        return code;
    }

    /** For people, one sentence or two. */
    public String meaning() {
        return meaning;
    }
}
