package dev.shelfmark.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/**
 * What PostgreSQL does to run a statement: its plan, after it was run and what it did was taken back.
 *
 * @param lines the plan, a line each
 */
record Explained(List<String> lines) {

    private static final Pattern NAMED = Pattern.compile("(?<!:):([a-zA-Z]+)");
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared (.*)");
    private static final Pattern COUNT = Pattern.compile("(?:hit|read)=([0-9]+)");

    /**
     * Runs a statement as a server-side prepared one.
     *
     * @param generic whether with the plan for any value, or with the one for these
     * @param values SQL expressions with their types, by parameter
     */
    static Explained of(TestDatabase database, String sql, boolean generic, Map<String, String> values) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = " + (generic ? "force_generic_plan" : "force_custom_plan"));
            return of(connection, sql, values);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The same, on a connection as it is. */
    static Explained of(Connection connection, String sql, Map<String, String> values) throws SQLException {
        Matcher parameters = NAMED.matcher(sql.replace("<schema>", "shelfmark"));
        List<String> names = new ArrayList<>();
        String numbered = parameters.replaceAll(match -> {
            if (!names.contains(match.group(1))) {
                names.add(match.group(1));
            }
            return "\\$" + (names.indexOf(match.group(1)) + 1);
        });
        StringJoiner types = new StringJoiner(", ");
        StringJoiner arguments = new StringJoiner(", ");
        for (String name : names) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no value for " + name);
            }
            arguments.add(value);
            types.add(value.substring(value.lastIndexOf("::") + 2));
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("prepare explained (" + types + ") as " + numbered);
            List<String> lines = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "explain (analyze, buffers, timing off) execute explained (" + arguments + ")")) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            return new Explained(lines);
        } finally {
            connection.rollback();
        }
    }

    /** The text of a method of a Jdbi interface. */
    static String sql(Class<?> dao, String name) {
        Method method = Arrays.stream(dao.getDeclaredMethods())
                .filter(declared -> declared.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return method.getAnnotation(SqlQuery.class).value();
    }

    /** How many pages the whole statement looked at. */
    int pages() {
        Matcher buffers = BUFFERS.matcher(lines.stream()
                .filter(line -> line.contains("Buffers: shared"))
                .findFirst()
                .orElseThrow());
        if (!buffers.find()) {
            throw new AssertionError(this);
        }
        return COUNT.matcher(buffers.group(1))
                .results()
                .mapToInt(match -> Integer.parseInt(match.group(1)))
                .sum();
    }

    @Override
    public String toString() {
        return lines.stream().collect(Collectors.joining("\n", "\n", "\n"));
    }
}
