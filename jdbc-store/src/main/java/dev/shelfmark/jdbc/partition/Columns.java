package dev.shelfmark.jdbc.partition;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How things become the parameters of a statement: the values of one, or of any number one array a column, so that a statement of fixed
 * text takes them all.
 *
 * @param columns in the order in which the statement names them
 * @param <T> what a row is made from
 */
record Columns<T>(List<Column<T, ?>> columns) {

    /**
     * One column.
     *
     * @param name the parameter's
     * @param value of one row
     * @param array an empty array of so many
     */
    record Column<T, V extends @Nullable Object>(String name, Function<T, V> value, IntFunction<V[]> array) {}

    /** Some of them. */
    Columns<T> only(String... names) {
        Set<String> wanted = Set.of(names);
        return new Columns<>(columns.stream()
                .filter(column -> wanted.contains(column.name()))
                .toList());
    }

    /** Puts the values of one row. */
    void putOne(T row, Map<String, @Nullable Object> values) {
        for (Column<T, ?> column : columns) {
            values.put(column.name(), column.value().apply(row));
        }
    }

    /** Puts an array of each column. */
    void putAll(List<T> rows, Map<String, @Nullable Object> values) {
        for (Column<T, ?> column : columns) {
            values.put(column.name(), array(column, rows));
        }
    }

    private static <T, V extends @Nullable Object> V[] array(Column<T, V> column, List<T> rows) {
        V[] array = column.array().apply(rows.size());
        for (int i = 0; i < array.length; i++) {
            array[i] = column.value().apply(rows.get(i));
        }
        return array;
    }
}
