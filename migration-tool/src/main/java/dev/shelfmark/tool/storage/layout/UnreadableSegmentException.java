package dev.shelfmark.tool.storage.layout;

import org.jspecify.annotations.Nullable;

/** The objects of a segment do not say what it is; the message says why, without a full stop. Nothing is known of the segment then. */
public final class UnreadableSegmentException extends Exception {

    public UnreadableSegmentException(String message) {
        super(message);
    }

    public UnreadableSegmentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
