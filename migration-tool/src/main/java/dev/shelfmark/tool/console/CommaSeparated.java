package dev.shelfmark.tool.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table as RFC 4180 has it. */
final class CommaSeparated {

    private final Table table;

    CommaSeparated(Table table) {
        this.table = table;
    }

    void print(PrintWriter out) {
        print(out, true);
    }

    void print(PrintWriter out, boolean withHeader) {
        if (withHeader) {
            line(out, table.columns());
        }
        table.rows().forEach(row -> line(out, row));
    }

    private static void line(PrintWriter out, List<? extends @Nullable Object> values) {
        out.print(values.stream().map(CommaSeparated::quoted).collect(Collectors.joining(",")));
        out.print("\r\n");
    }

    private static String quoted(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        boolean special = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return special ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
