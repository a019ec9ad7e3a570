package dev.shelfmark.jdbc.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** No connection was made, so nothing was sent. The message names the address, the login, the cause and the next step. */
final class ConnectFailure extends SQLException {

    private static final long serialVersionUID = 1L;

    ConnectFailure(ServerAddress server, String user, String why, @Nullable String state, @Nullable Throwable cause) {
        super("cannot connect to PostgreSQL at " + server + " as " + user + ": " + why, state, cause);
    }

    /** Whether it stays until a person acts, so that another attempt is of no use now. */
    boolean refused() {
        String state = getSQLState();
        return state != null
                && (state.startsWith("28")
                        || state.startsWith("22")
                        || state.equals("3D000")
                        || state.equals("08004")
                        || state.equals("08P01")
                        || state.equals(SqlErrors.NO_RIGHT)
                        || state.equals(StatementPooling.REFUSED));
    }

    /** The one among the causes, if there is one. */
    static @Nullable ConnectFailure in(Throwable failure) {
        int depth = 0;
        for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
            if (at instanceof ConnectFailure found) {
                return found;
            }
        }
        return null;
    }
}
