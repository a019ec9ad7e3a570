package dev.shelfmark.tool.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows under named columns. Values are texts, numbers, truth values, instants or null, which is printed as nothing.
 */
public final class Table {

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    /** An empty table; the names are those of JSON's fields, such as {@code changedBy}. */
    public Table(String... columns) {
        this.columns = List.of(columns);
    }

    /** Adds a row, a value for each column. */
    public Table row(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for the columns " + columns);
        }
        rows.add(Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values))));
        return this;
    }

    public List<String> columns() {
        return columns;
    }

    public List<List<@Nullable Object>> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** Each row as an object for JSON: numbers and truth values as such, all else as text. */
    public List<Map<String, @Nullable Object>> objects() {
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                Object value = row.get(i);
                boolean plain = value == null || value instanceof Number || value instanceof Boolean;
                object.put(columns.get(i), plain ? value : String.valueOf(value));
            }
            objects.add(object);
        }
        return objects;
    }
}
