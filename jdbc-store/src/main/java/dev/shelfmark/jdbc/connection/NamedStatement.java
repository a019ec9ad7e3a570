package dev.shelfmark.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters have names, read when it is first run. A broker's own requests use it on plain connections rather than Jdbi:
 * what Jdbi does for each call takes several times as long as the database, and its classes are most of what a start loads.
 */
public final class NamedStatement {

    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-zA-Z]+)");

    private final SchemaName schema;
    private final String text;
    private volatile @Nullable Parsed parsed;

    private NamedStatement(SchemaName schema, String text) {
        this.schema = schema;
        this.text = text;
    }

    /**
     * A text as the driver takes it.
     *
     * @param sql with a question mark for each parameter
     * @param parameters their names, in order
     */
    private record Parsed(String sql, List<String> parameters) {

        static Parsed of(String text) {
            Matcher matcher = PARAMETER.matcher(text);
            String sql = matcher.replaceAll("?");
            List<String> parameters = new ArrayList<>();
            matcher.reset();
            while (matcher.find()) {
                parameters.add(matcher.group(1));
            }
            return new Parsed(sql, parameters);
        }
    }

    /** Done when it is first needed: a broker's start needs few of its statements. */
    private Parsed parsed() {
        Parsed known = parsed;
        if (known == null) {
            known = Parsed.of(text.replace("<schema>", schema.quoted()));
            parsed = known;
        }
        return known;
    }

    /** Of a text with {@code :name} for values and {@code <schema>} for the schema. */
    public static NamedStatement of(SchemaName schema, String text) {
        return new NamedStatement(schema, text);
    }

    /**
     * Ready to run.
     *
     * @param values by the parameters' names; those of no parameter are left alone
     */
    public PreparedStatement prepare(Connection connection, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        Parsed parsed = parsed();
        PreparedStatement statement = connection.prepareStatement(parsed.sql());
        try {
            for (int i = 0; i < parsed.parameters().size(); i++) {
                String name = parsed.parameters().get(i);
                Object value = values.get(name);
                if (value == null && !values.containsKey(name)) {
                    throw new IllegalArgumentException("no value for :" + name + " of " + parsed.sql());
                }
                bind(connection, statement, i + 1, value);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int at, @Nullable Object value)
            throws SQLException {
        if (value instanceof UUID[] ids) {
            statement.setArray(at, connection.createArrayOf("uuid", ids));
        } else if (value == null) {
            statement.setNull(at, Types.NULL);
        } else {
            statement.setObject(at, value);
        }
    }
}
