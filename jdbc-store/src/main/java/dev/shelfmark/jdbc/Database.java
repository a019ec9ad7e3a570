package dev.shelfmark.jdbc;

import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.util.UUID;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;

/**
 * Where every request passes: it gets a connection, runs, is told to the listener, is repeated where that is certain to be harmless,
 * and fails in the words of the SPI.
 */
final class Database {

    private final Jdbi jdbi;
    private final StoreListener listener;
    private final Backoff backoff;

    Database(DataSource dataSource, SchemaName schema, StoreListener listener, Backoff backoff) {
        this.jdbi = Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin());
        this.jdbi.getConfig(SqlStatements.class).define("schema", schema.quoted());
        // Jdbi's messages would quote bound values, a RemoteStorageManager's metadata among them.
        this.jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
        this.jdbi.registerArrayType(UUID.class, "uuid");
        this.jdbi.registerRowMapper(new ClusterRowMapper());
        this.jdbi.registerRowMapper(new HeartbeatRowMapper());
        this.jdbi.registerRowMapper(new PartitionRowMapper());
        this.jdbi.registerRowMapper(new ServerStanding.Mapper());
        this.listener = listener;
        this.backoff = backoff;
    }

    /**
     * Runs one request.
     *
     * @param rows how many rows a result stands for
     */
    <T> T request(Request request, ToLongFunction<T> rows, HandleCallback<T, RuntimeException> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(request, rows, work);
            } catch (JdbiException e) {
                String code = SqlErrors.repeatable(e);
                if (!request.changes() || code == null || !backoff.pause(attempt)) {
                    throw SqlErrors.translate(request, e);
                }
                listener.retried(request.operation(), code);
            }
        }
    }

    private <T> T attempt(Request request, ToLongFunction<T> rows, HandleCallback<T, RuntimeException> work) {
        long start = System.nanoTime();
        long count = 0;
        try (Handle handle = jdbi.open()) {
            T result = work.withHandle(handle);
            count = rows.applyAsLong(result);
            return result;
        } finally {
            listener.requested(request.operation(), count, System.nanoTime() - start);
        }
    }

    /** For a store that was closed. */
    static StoreException closed() {
        return new StoreException.Unavailable("the store is closed", null);
    }
}
