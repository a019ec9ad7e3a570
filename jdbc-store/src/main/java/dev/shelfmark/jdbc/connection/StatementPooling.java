package dev.shelfmark.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Tells a pooler that lends a server's connection to one client after the other and lets the driver's names of prepared statements through.
 * The driver counts them, S_1, S_2 and so on, for each connection anew: behind such a pooler one client runs what another one prepared under
 * the same name, and takes its answer, without any error. A pooler that names the statements itself is safe, and so is a driver that
 * prepares none.
 */
public final class StatementPooling {

    /** The SQLSTATE of a refusal, of our own making. */
    static final String REFUSED = "SM001";

    /** What makes a pooler safe. */
    static final String WHAT_TO_DO =
            "set PgBouncer's max_prepared_statements, or add prepareThreshold=0 to " + JdbcStoreConfig.URL;

    /** The name is there already, or not there any more. */
    private static final Set<String> MIXED_UP = Set.of("42P05", "26000");

    /** Looks for itself among the prepared statements of the connection that it has come to. */
    private static final String LOOK = """
            select pg_backend_pid(), exists (select from pg_prepared_statements where left(name, 2) = 'S_')""";

    private StatementPooling() {}

    /**
     * One round trip on a new connection, if the driver prepares statements at all.
     *
     * @throws SQLException of {@link #REFUSED} when answers could be another client's
     */
    public static void refuseUnlessSafe(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (driver.getPrepareThreshold() == 0) {
            return;
        }
        try (PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.unwrap(PGStatement.class).setPrepareThreshold(1);
            try (ResultSet row = look.executeQuery()) {
                // A pooler tells its clients process ids of its own.
                if (row.next() && row.getInt(1) != driver.getBackendPID() && row.getBoolean(2)) {
                    throw refusal();
                }
            }
        } catch (SQLException e) {
            if (!MIXED_UP.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            SQLException refusal = refusal();
            // No cause: of a connection that was not had, the last cause is what is told.
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private static SQLException refusal() {
        return new SQLException(
                "a connection pooler between here and PostgreSQL does not keep the prepared statements of its clients apart, so that"
                        + " one could be given another one's answer: " + WHAT_TO_DO,
                REFUSED);
    }
}
