package dev.shelfmark.tool.console;

import dev.shelfmark.tool.failure.OutputNotWritten;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Prints a table of any length, row by row, in the forms of {@link OutputFormat} and in bounded memory. The aligned form fits its
 * columns to the first rows, and widens them from where wider values come. What is closed before it is complete never looks as if
 * it were: a program that reads it gets no valid JSON, and no columns of an empty table.
 */
public final class RowWriter implements AutoCloseable {

    private static final int ALIGNED_TOGETHER = 500;

    private final OutputFormat format;
    private final PrintWriter out;
    private final String[] columns;
    private Table buffered;
    private @Nullable AlignedText aligned;
    private long rows;
    private boolean abandoned;
    private boolean complete;

    public RowWriter(OutputFormat format, PrintWriter out, String... columns) {
        this.format = format;
        this.out = out;
        this.columns = columns.clone();
        this.buffered = new Table(columns);
    }

    /** Adds a row, a value for each column. */
    public void row(@Nullable Object... values) {
        buffered.row(values);
        rows++;
        if (rows % ALIGNED_TOGETHER == 0 && out.checkError()) {
            // Nobody would see the rest; a print writer itself says nothing and lets a walk go on for hours.
            throw ToolFailure.usage(OutputNotWritten.MESSAGE);
        }
        switch (format) {
            case TABLE -> {
                if (buffered.rows().size() == ALIGNED_TOGETHER) {
                    printAligned();
                }
            }
            case JSON -> {
                out.println(rows == 1 ? "[" : ",");
                out.print(Json.pretty(buffered.objects().get(0)).indent(2).stripTrailing());
                buffered = new Table(columns);
            }
            case CSV -> {
                new CommaSeparated(buffered).print(out, rows == 1);
                buffered = new Table(columns);
            }
        }
    }

    /** Leaves out the frame of an empty table, for who says in words that there is nothing. */
    public void abandon() {
        abandoned = true;
    }

    /** How many rows there were. */
    public long rows() {
        return rows;
    }

    private void printAligned() {
        aligned = aligned == null ? new AlignedText(buffered) : aligned.next(buffered);
        aligned.print(out);
        buffered = new Table(columns);
    }

    /** Says that all rows are there; what fails before must not be taken for an answer. */
    public void complete() {
        complete = true;
    }

    /** Prints what is left, and if it is complete the end and the frame of an empty table. */
    @Override
    public void close() {
        if (rows > 0 || (complete && !abandoned)) {
            switch (format) {
                case TABLE -> {
                    if (!buffered.rows().isEmpty() || aligned == null) {
                        printAligned();
                    }
                }
                case JSON -> out.println(rows == 0 ? "[ ]" : complete ? "\n]" : "");
                case CSV -> {
                    if (rows == 0) {
                        new CommaSeparated(buffered).print(out, true);
                    }
                }
            }
        }
        out.flush();
    }
}
