package dev.shelfmark.jdbc.connection;

import dev.shelfmark.jdbc.credentials.LoginSettings;
import dev.shelfmark.jdbc.transport.TlsFailure;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Says why a connection was not made, and what to do: one hint, which fits the cause. */
final class ConnectAdvice {

    private static final String GIVE_A_PASSWORD = "no password was given: set " + LoginSettings.PASSWORD + " or "
            + LoginSettings.PASSWORD_FILE + "; for the shelfmark command, SHELFMARK_PASSWORD or --password-file";

    private ConnectAdvice() {}

    /**
     * In words, without the address.
     *
     * @param withPassword whether a password was given
     */
    static String of(SQLException failure, boolean withPassword) {
        TlsFailure tls = cause(failure, TlsFailure.class);
        if (tls != null) {
            return String.valueOf(tls.getMessage());
        }
        UnknownHostException unknown = cause(failure, UnknownHostException.class);
        if (unknown != null) {
            return "The host " + unknown.getMessage() + " is unknown; check " + JdbcStoreConfig.URL
                    + " and the name service";
        }
        if (cause(failure, ConnectException.class) != null) {
            return "connection refused; start PostgreSQL there, or correct " + JdbcStoreConfig.URL;
        }
        if (cause(failure, SocketTimeoutException.class) != null) {
            return "no answer in time; check the network and firewalls, or raise " + JdbcStoreConfig.CONNECT_TIMEOUT;
        }
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        String next = next(failure, state, withPassword);
        return failure.getMessage()
                + (state.isEmpty() || state.equals(StatementPooling.REFUSED) ? "" : " (SQLSTATE " + state + ")")
                + (next == null ? "" : "; " + next);
    }

    private static @Nullable String next(SQLException failure, String state, boolean withPassword) {
        return switch (state) {
            case "28P01" ->
                withPassword
                        ? "check " + JdbcStoreConfig.USER + " and " + JdbcStoreConfig.PASSWORD + " (or "
                                + LoginSettings.PASSWORD_FILE + ", or what " + LoginSettings.PROVIDER_CLASS + " gives)"
                        : GIVE_A_PASSWORD;
            case "28000" ->
                "check " + JdbcStoreConfig.USER + ", and that the server's pg_hba.conf lets this login in"
                        + " (for a client certificate: sslcert and sslkey in " + JdbcStoreConfig.URL + ")";
            case "3D000" -> "correct the database in " + JdbcStoreConfig.URL + ", or create it";
            case SqlErrors.NO_RIGHT -> "grant " + JdbcStoreConfig.USER + " the right to connect to the database";
            case "53300" -> "raise the server's max_connections, or lower " + JdbcStoreConfig.POOL_MAX_SIZE;
            case "57P03" -> "the server starts or stops: it is asked again";
            case "08001" ->
                "of the servers in " + JdbcStoreConfig.URL + " one must be up and be the primary, which takes changes";
            // Somebody was there: the driver has no password to give, or the two do not agree on TLS.
            case "08004" ->
                !withPassword && !String.valueOf(failure.getMessage()).contains("SSL")
                        ? GIVE_A_PASSWORD
                        : "check sslmode in " + JdbcStoreConfig.URL + " and ssl in the server's postgresql.conf, "
                                + JdbcStoreConfig.USER + " and " + JdbcStoreConfig.PASSWORD;
            // What PgBouncer says of nearly everything, a wrong password included.
            case "08P01" ->
                "if it is PgBouncer that refuses the connection's options, set " + JdbcStoreConfig.STATEMENT_TIMEOUT
                        + ", " + JdbcStoreConfig.LOCK_TIMEOUT + " and " + JdbcStoreConfig.IDLE_IN_TRANSACTION_TIMEOUT
                        + " to 0, and the limits on the role; if it is the login, check " + JdbcStoreConfig.USER
                        + " and " + JdbcStoreConfig.PASSWORD;
            case StatementPooling.REFUSED -> null;
            default ->
                state.startsWith("22")
                        ? "the server does not take a parameter of the connection: check " + JdbcStoreConfig.URL
                        : "check that PostgreSQL is up, and " + JdbcStoreConfig.URL;
        };
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
        int depth = 0;
        for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }
}
