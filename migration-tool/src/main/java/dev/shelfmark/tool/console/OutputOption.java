package dev.shelfmark.tool.console;

import picocli.CommandLine.Option;

/** The form in which a command prints. */
public final class OutputOption {

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    public OutputFormat format() {
        return output;
    }
}
