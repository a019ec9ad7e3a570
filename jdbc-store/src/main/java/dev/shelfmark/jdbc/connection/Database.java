package dev.shelfmark.jdbc.connection;

import dev.shelfmark.retry.Backoff;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Where every request passes: it gets a connection, runs, is told to the listener, is repeated where that is certain to be harmless,
 * and fails in the words of the SPI.
 */
public final class Database {

    private static final int ATTEMPTS = 5;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(160));

    private final DataSource dataSource;
    private final SchemaName schema;
    private final StoreListener listener;
    private @Nullable Jdbi jdbi;

    public Database(DataSource dataSource, SchemaName schema, StoreListener listener) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.listener = listener;
    }

    /** Made when it is first needed: a broker's start is not to wait for it. */
    private synchronized Jdbi jdbi() {
        Jdbi made = jdbi;
        if (made == null) {
            made = Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin());
            made.getConfig(SqlStatements.class).define("schema", schema.quoted());
            // Jdbi's messages would quote bound values, a RemoteStorageManager's metadata among them.
            made.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
            made.registerArrayType(UUID.class, "uuid");
            jdbi = made;
        }
        return made;
    }

    /**
     * Runs one request.
     *
     * @param rows how many rows a result stands for
     */
    public <T> T request(Request request, ToLongFunction<T> rows, HandleCallback<T, RuntimeException> work) {
        return repeating(request, () -> attempt(request, rows, work));
    }

    /** Runs one request on a plain connection, outside of any transaction unless it begins and ends one. */
    public <T> T run(Request request, ToLongFunction<T> rows, ConnectionWork<T> work) {
        return repeating(request, () -> attemptPlain(request, rows, work));
    }

    /** One try. */
    private interface Attempt<T> {
        T run() throws SQLException;
    }

    private <T> T repeating(Request request, Attempt<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (JdbiException | SQLException e) {
                if (SqlErrors.readOnly(e)) {
                    leaveServer();
                }
                String code = SqlErrors.repeatable(e);
                if (!request.changes() || code == null || !pause(attempt)) {
                    throw SqlErrors.translate(request, e);
                }
                listener.retried(request.operation(), code);
            }
        }
    }

    /** Waits before the next attempt; false when there is none: they are used up, or the thread was interrupted, whose flag is then set. */
    private static boolean pause(int attempt) {
        if (attempt >= ATTEMPTS) {
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(BACKOFF.pause(attempt).toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** New connections are made to a primary only; those that were made before go on to whom they lead, for as long as they are kept. */
    private void leaveServer() {
        if (dataSource instanceof ConnectionPool pool) {
            pool.leave();
        }
    }

    /**
     * After an answer: the server that gave it may take no changes any more, and another one may by now. PostgreSQL 14 and newer tell a change of
     * that before the next answer, without being asked.
     */
    private void refuseReadOnly(Request request, Connection connection) throws SQLException {
        if (request.changes() || !(dataSource instanceof ConnectionPool)) {
            return;
        }
        PGConnection driver = connection.unwrap(PGConnection.class);
        if ("on".equals(driver.getParameterStatus("default_transaction_read_only"))
                || "on".equals(driver.getParameterStatus("in_hot_standby"))) {
            throw new SQLException("the server has become read-only, its answer may be old", SqlErrors.READ_ONLY);
        }
    }

    private <T> T attempt(Request request, ToLongFunction<T> rows, HandleCallback<T, RuntimeException> work)
            throws SQLException {
        long start = System.nanoTime();
        long count = 0;
        try (Handle handle = jdbi().open()) {
            T result = asking(() -> {
                T answer = work.withHandle(handle);
                refuseReadOnly(request, handle.getConnection());
                return answer;
            });
            count = rows.applyAsLong(result);
            return result;
        } finally {
            listener.requested(request.operation(), count, System.nanoTime() - start);
        }
    }

    private <T> T attemptPlain(Request request, ToLongFunction<T> rows, ConnectionWork<T> work) throws SQLException {
        long start = System.nanoTime();
        long count = 0;
        try (Connection connection = connect(dataSource)) {
            T result = asking(() -> {
                T answer = work.with(connection);
                refuseReadOnly(request, connection);
                return answer;
            });
            count = rows.applyAsLong(result);
            return result;
        } finally {
            listener.requested(request.operation(), count, System.nanoTime() - start);
        }
    }

    /** Gives up a connection that breaks before it goes back to the pool. */
    private <T> T asking(Attempt<T> work) throws SQLException {
        try {
            return work.run();
        } catch (JdbiException | SQLException e) {
            String why = SqlErrors.broken(e);
            if (why != null && dataSource instanceof ConnectionPool pool) {
                pool.lost(why);
            }
            throw e;
        }
    }

    /** Fails as somebody who has sent nothing yet. */
    public static Connection connect(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new ConnectionException(e);
        }
    }

    /** For a store that was closed. */
    public static StoreException closed() {
        return new StoreException.Unavailable("the store is closed", null);
    }
}
