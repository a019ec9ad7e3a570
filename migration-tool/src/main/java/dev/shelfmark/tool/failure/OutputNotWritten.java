package dev.shelfmark.tool.failure;

/** Results that did not arrive where they were written to. */
public final class OutputNotWritten {

    /** For people. */
    public static final String MESSAGE =
            "the results could not be written in full to the standard output: is the disk full, or did the"
                    + " reader of a pipe end? Do not use what is there";

    private OutputNotWritten() {}
}
