package dev.shelfmark.tool.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table for people: columns as wide as their widest value, numbers to the right. */
final class AlignedText {

    private static final String GAP = "  ";

    private final Table table;
    private final List<List<String>> lines = new ArrayList<>();
    private final int[] widths;
    private final boolean[] numeric;

    AlignedText(Table table) {
        this(table, new int[table.columns().size()], new boolean[table.columns().size()]);
        for (int i = 0; i < numeric.length; i++) {
            numeric[i] = holdsNumbers(i);
        }
        lines.add(0, table.columns().stream().map(AlignedText::title).toList());
        widen(lines.get(0));
    }

    private AlignedText(Table table, int[] widths, boolean[] numeric) {
        this.table = table;
        this.widths = widths;
        this.numeric = numeric;
        table.rows().forEach(row -> add(row.stream().map(AlignedText::text).toList()));
    }

    /** More rows of the same table, below these. */
    AlignedText next(Table rows) {
        return new AlignedText(rows, widths, numeric);
    }

    private void add(List<String> line) {
        lines.add(line);
        widen(line);
    }

    private void widen(List<String> line) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], line.get(i).length());
        }
    }

    void print(PrintWriter out) {
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - line.get(i).length());
                text.append(i == 0 ? "" : GAP).append(numeric[i] ? padding + line.get(i) : line.get(i) + padding);
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private boolean holdsNumbers(int column) {
        return !table.rows().isEmpty()
                && table.rows().stream().allMatch(row -> row.get(column) instanceof Number || row.get(column) == null);
    }

    /** {@code changedBy} becomes {@code CHANGED BY}. */
    private static String title(String column) {
        return column.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toUpperCase(Locale.ROOT);
    }

    private static String text(@Nullable Object value) {
        // A line break in a value, such as in somebody's note, must not break the table.
        return value == null ? "" : value.toString().replaceAll("\\R", " ");
    }
}
