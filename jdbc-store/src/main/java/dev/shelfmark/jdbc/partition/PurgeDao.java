package dev.shelfmark.jdbc.partition;

import dev.shelfmark.jdbc.connection.NamedStatement;
import dev.shelfmark.jdbc.connection.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** Takes away what is kept for a while only. Brokers that do it at once share the work. */
public final class PurgeDao {

    /**
     * By the rows' places, which stay theirs while they are locked: whatever the planner expects, it can't come to read the whole table. A
     * plan for any limit expects a tenth of all that is due, and would join them by reading everything. Rows that another broker is about to
     * purge are passed over. Where the table is one of several parts, a place is one in each of them, and what is not due stays: asked in words
     * that no index is made of.
     */
    public static final String PURGE = """
            delete from <schema>.segment
            where ctid = any (array(
              select ctid
              from <schema>.segment
              where deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond'
              order by deleted_at
              limit :limit
              for update skip locked
            ))
              and (deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond') is true
            """;

    /** The same way. */
    public static final String PURGE_CHANGES = purgeOf("state_change");

    public static final String PURGE_GROUPS = purgeOf("state_change_group");

    private static String purgeOf(String table) {
        return """
            delete from <schema>.{table}
            where ctid = any (array(
              select ctid
              from <schema>.{table}
              where expires_at <= now()
              order by expires_at
              limit :limit
              for update skip locked
            ))
            """.replace("{table}", table);
    }

    private final NamedStatement purge;
    private final NamedStatement purgeChanges;
    private final NamedStatement purgeGroups;

    public PurgeDao(SchemaName schema) {
        purge = NamedStatement.of(schema, PURGE);
        purgeChanges = NamedStatement.of(schema, PURGE_CHANGES);
        purgeGroups = NamedStatement.of(schema, PURGE_GROUPS);
    }

    /** Removes rows of deleted segments; how many. */
    public int purge(Connection connection, String clusterId, long retentionMillis, int limit) throws SQLException {
        Map<String, Object> values = Map.of("clusterId", clusterId, "retentionMillis", retentionMillis, "limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    /** Removes rows of the history whose time is over; how many. */
    public int purgeChanges(Connection connection, int limit) throws SQLException {
        return purge(connection, purgeChanges, limit);
    }

    /** The same of commits of several changes. */
    public int purgeGroups(Connection connection, int limit) throws SQLException {
        return purge(connection, purgeGroups, limit);
    }

    private static int purge(Connection connection, NamedStatement text, int limit) throws SQLException {
        try (PreparedStatement statement = text.prepare(connection, Map.of("limit", limit))) {
            return statement.executeUpdate();
        }
    }
}
