package dev.shelfmark.jdbc.connection;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import java.sql.SQLException;
import java.util.Set;
import org.jdbi.v3.core.ConnectionException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Turns failures below this store into those of its SPI, by SQLSTATE and never by a message's text.
 *
 * <p>For a change the first question is whether it may have been applied. It certainly was not
 *
 * <ul>
 *   <li>when no connection was had, as nothing was sent, and
 *   <li>when the server reported an error of the statement, as it then has rolled the statement back.
 * </ul>
 *
 * <p>It may have been when the connection broke, and also when the server's last word was that the session or the server itself ends
 * (57P0x, or an internal, I/O or disk-full error, which while the log is written stops the server): such a word can
 * come between a commit and its acknowledgement. An SQLSTATE that is not listed here counts as unknown, too: the catalogue
 * then reads back what was the case, which costs a read, while a wrong "nothing was applied" would cost the truth.
 */
public final class SqlErrors {

    /** The SQLSTATE of who may not do it. */
    public static final String NO_RIGHT = "42501";

    /** The SQLSTATE of a server that takes no changes. */
    static final String READ_ONLY = "25006";

    private static final String NO_SUCH_OBJECT = "42704";

    private static final Set<String> SESSION_ENDED = Set.of("25P03", "25P04");

    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

    private SqlErrors() {}

    /** The code of a failure that a repeat may well overcome and that certainly left nothing behind; else null. */
    static @Nullable String repeatable(Throwable failure) {
        SQLException sql = sqlException(failure);
        String state = sql == null ? null : sql.getSQLState();
        return state != null && CONFLICTS.contains(state) && !(failure instanceof ConnectionException) ? state : null;
    }

    /** Whether it is for the server as a whole that nothing can be changed. */
    static boolean readOnly(Throwable failure) {
        SQLException sql = sqlException(failure);
        return sql != null && READ_ONLY.equals(sql.getSQLState());
    }

    /** What to throw instead of {@code failure}. */
    public static StoreException translate(Request request, Throwable failure) {
        ConnectFailure unconnected = ConnectFailure.in(failure);
        if (unconnected != null) {
            return unconnected(unconnected);
        }
        SQLException sql = sqlException(failure);
        String state = sql == null || sql.getSQLState() == null ? "" : sql.getSQLState();
        Throwable cause = sql == null ? failure : sql;
        // A partition is the user's; the request's own name is not.
        String about = request.subject() instanceof PartitionKey partition ? partition + ": " : "";
        String what = about + cause.getMessage() + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")");
        StoreException permanent = permanent(request, state, what, cause);
        if (permanent != null) {
            return permanent;
        }
        if (failure instanceof ConnectionException) {
            return new StoreException.Unavailable(what + "; there was no connection, nothing was sent", cause);
        }
        String rolledBack = rolledBack(state);
        if (rolledBack != null && (!request.changes() || saidByServer(cause))) {
            return new StoreException.Unavailable(what + "; nothing was changed: " + rolledBack, cause);
        }
        if (request.changes()) {
            return new StoreException.OutcomeUnknown(what + "; whether it was applied can only be read back", cause);
        }
        return new StoreException.Unavailable(what, cause);
    }

    private static StoreException unconnected(ConnectFailure failure) {
        String state = String.valueOf(failure.getSQLState());
        String message = String.valueOf(failure.getMessage());
        boolean denied = state.startsWith("28") || state.equals("3D000") || state.equals(NO_RIGHT);
        return denied
                ? new StoreException.AccessDenied(message, failure)
                : new StoreException.Unavailable(message, failure);
    }

    /** Why the connection is of no use after a failure; null when it may be used again. */
    static @Nullable String broken(Throwable failure) {
        SQLException sql = sqlException(failure);
        String state = sql == null ? null : sql.getSQLState();
        boolean broken = state != null
                && !(failure instanceof ConnectionException)
                && (state.startsWith("08") || state.startsWith("57P") || SESSION_ENDED.contains(state));
        return broken && sql != null ? String.valueOf(sql.getMessage()).replaceAll("\\.$", "") : null;
    }

    /** The driver has its own failures, too, after a change was sent, and gives some of them the server's codes: it has no memory for the answer, say. */
    private static boolean saidByServer(Throwable cause) {
        return cause instanceof PSQLException said && said.getServerErrorMessage() != null;
    }

    /** Failures that stay until a person acts; none of them leaves a change behind. */
    private static @Nullable StoreException permanent(Request request, String state, String what, Throwable cause) {
        return switch (state) {
            case NO_RIGHT ->
                new StoreException.AccessDenied(
                        what
                                + (request.owners()
                                        ? "; this is for the owner of the schema: log in as the owner (--user). Where a"
                                                + " schema is missing, an administrator makes it with roles.sql"
                                        : "; the owner can grant what is missing: set " + JdbcStoreConfig.GRANT_BROKER
                                                + " (or, for who only reads, " + JdbcStoreConfig.GRANT_AUDITOR
                                                + ") and run `shelfmark upgrade-schema`"),
                        cause);
            case NO_SUCH_OBJECT ->
                request.owners()
                        ? new StoreException.AccessDenied(
                                what + "; nothing was changed. If it is a role: those that "
                                        + JdbcStoreConfig.GRANT_BROKER + " and " + JdbcStoreConfig.GRANT_AUDITOR
                                        + " name must be there, an administrator makes them with roles.sql",
                                cause)
                        : null;
            case "3F000", "42P01" ->
                new StoreException.SchemaMismatch(
                        what + "; the catalogue is not there: check " + JdbcStoreConfig.SCHEMA
                                + " or run `shelfmark init`; or it is an older build's: run `shelfmark upgrade-schema`",
                        cause);
            case "42703", "42883", "42804", "42P10" ->
                new StoreException.SchemaMismatch(
                        what + "; the schema is not the one that this build knows: run `shelfmark upgrade-schema`",
                        cause);
            default ->
                switch (state.length() == 5 ? state.substring(0, 2) : "") {
                    case "22", "23", "54" ->
                        new StoreException.Unsupported(
                                what + "; PostgreSQL can't hold this record, and nothing was changed", cause);
                    default -> null;
                };
        };
    }

    /** What to do about an error after which the server has rolled back, and which may pass; null when it is none of these. */
    private static @Nullable String rolledBack(String state) {
        return switch (state) {
            case "57014" -> "it ran longer than " + JdbcStoreConfig.STATEMENT_TIMEOUT + ", or was cancelled";
            case "55P03" -> "it waited longer than " + JdbcStoreConfig.LOCK_TIMEOUT + " for another one's lock";
            case READ_ONLY ->
                "the server is read-only, a standby perhaps: " + JdbcStoreConfig.URL + " must lead to the primary";
            case "40001", "40P01" -> "it was in the way of others, several times";
            case "53000", "53200", "53300", "53400" -> "the server is short of resources";
            case "26000", "42P05" ->
                "prepared statements do not survive this transaction pooler: " + StatementPooling.WHAT_TO_DO;
            default -> null;
        };
    }

    /**
     * The first with a state among the causes; when no connection was had, the last, as a pool says only how long it waited and
     * puts the driver's word behind its own.
     */
    private static @Nullable SQLException sqlException(Throwable failure) {
        boolean last = failure instanceof ConnectionException;
        SQLException found = null;
        int depth = 0;
        for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
            if (at instanceof SQLException sql) {
                boolean better = found == null || (sql.getSQLState() != null && (last || found.getSQLState() == null));
                found = better ? sql : found;
            }
        }
        return found;
    }
}
