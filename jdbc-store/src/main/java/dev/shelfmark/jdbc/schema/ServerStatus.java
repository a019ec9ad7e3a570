package dev.shelfmark.jdbc.schema;

import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How the server and our role on it stand.
 *
 * @param missing what a broker needs and this role has not, such as {@code delete on segment}; null for nothing
 * @param hidden tables whose rows are hidden from this role by a policy; null for none
 */
public record ServerStatus(
        boolean inRecovery,
        boolean readOnly,
        String synchronousCommit,
        long statementTimeoutMillis,
        String role,
        @Nullable String missing,
        @Nullable String hidden) {

    static ServerStatus of(ResultSet row) throws SQLException {
        return new ServerStatus(
                row.getBoolean("in_recovery"),
                row.getBoolean("read_only"),
                row.getString("synchronous_commit"),
                row.getLong("statement_timeout_ms"),
                row.getString("role"),
                row.getString("missing"),
                row.getString("hidden"));
    }

    /** Rows that a policy hides would be taken for none. */
    public static StoreException hidden(String tables, SchemaName schema) {
        return new StoreException.AccessDenied(
                "row-level security hides rows of " + tables + " in the schema " + schema.name()
                        + ", and what is hidden can't be told from what is not there: switch it off"
                        + " (alter table … disable row level security)",
                null);
    }
}
