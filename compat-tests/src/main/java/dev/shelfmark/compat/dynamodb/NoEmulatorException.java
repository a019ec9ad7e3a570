package dev.shelfmark.compat.dynamodb;

import org.jspecify.annotations.Nullable;

/** No server can be had on this machine; the message says what to install. */
public final class NoEmulatorException extends IllegalStateException {

    private final String remedy;

    NoEmulatorException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.remedy = message;
    }

    /** What is missing, and what to install. */
    public String remedy() {
        return remedy;
    }
}
