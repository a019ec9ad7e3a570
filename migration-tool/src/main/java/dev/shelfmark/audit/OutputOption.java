package dev.shelfmark.audit;

import dev.shelfmark.migration.output.OutputFormat;
import picocli.CommandLine.Option;

/** The form in which a command prints. */
final class OutputOption {

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    OutputFormat format() {
        return output;
    }
}
