package dev.shelfmark.tool.console;

import java.io.PrintWriter;

/** The forms in which a {@link Table} is printed. */
public enum OutputFormat {
    /** Aligned columns for people. */
    TABLE {
        @Override
        public void print(Table table, PrintWriter out) {
            new AlignedText(table).print(out);
        }
    },
    /** An array of objects, named by the columns. */
    JSON {
        @Override
        public void print(Table table, PrintWriter out) {
            out.println(Json.pretty(table.objects()));
        }
    },
    /** Comma-separated values after RFC 4180, with a header line. */
    CSV {
        @Override
        public void print(Table table, PrintWriter out) {
            new CommaSeparated(table).print(out);
        }
    };

    /** Prints the whole table. */
    public abstract void print(Table table, PrintWriter out);
}
