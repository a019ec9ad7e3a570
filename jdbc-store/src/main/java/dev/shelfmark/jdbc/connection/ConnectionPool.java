package dev.shelfmark.jdbc.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * HikariCP, as a guest in a broker: it never connects before it is asked, keeps no idle connection for ever, its threads are ours by name, and
 * when connections break or cannot be made it logs nothing.
 */
public final class ConnectionPool extends PlainDataSource implements AutoCloseable {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final PostgresDataSource source;
    private final Duration wait;
    private final LossLog losses;
    private final HikariDataSource pool;
    private volatile @Nullable SQLException lastFailure;

    private ConnectionPool(JdbcStoreConfig config, String applicationName) {
        source = new PostgresDataSource(config, applicationName);
        wait = config.poolWait();
        losses = new LossLog(source.server(), System::nanoTime);
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName(applicationName);
        hikari.setDataSource(new Connections(config.socketTimeout()));
        hikari.setThreadFactory(threads());
        hikari.setInitializationFailTimeout(-1);
        hikari.setMinimumIdle(0);
        hikari.setMaximumPoolSize(config.poolMaxSize());
        hikari.setConnectionTimeout(config.poolWait().toMillis());
        hikari.setValidationTimeout(Math.min(
                config.poolWait().toMillis(),
                config.connectTimeout().plusMillis(250).toMillis()));
        hikari.setIdleTimeout(config.poolIdle().toMillis());
        hikari.setMaxLifetime(config.poolMaxLifetime().toMillis());
        // A request that fails decides what becomes of the connections, with lost(); HikariCP would do so with a stack
        // trace in the log.
        hikari.setExceptionOverride(new KeepUntilLost());
        pool = new HikariDataSource(hikari);
    }

    /** Connects nobody yet. */
    public static ConnectionPool open(JdbcStoreConfig config, String applicationName) {
        return new ConnectionPool(config, applicationName);
    }

    /** Evicts nothing. */
    private static final class KeepUntilLost implements SQLExceptionOverride {

        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException failure) {
            return SQLExceptionOverride.Override.DO_NOT_EVICT;
        }
    }

    /** What the pool connects with. It fails by handing over a {@link FailedConnection}. */
    private final class Connections extends PlainDataSource {

        private final Duration networkTimeout;

        Connections(Duration networkTimeout) {
            this.networkTimeout = networkTimeout;
        }

        @Override
        public Connection getConnection() {
            try {
                Connection made = source.getConnection();
                lastFailure = null;
                return PooledConnection.of(made, () -> lost("the server closed it while it was idle"));
            } catch (SQLException e) {
                lastFailure = e;
                return FailedConnection.of(e, networkTimeout);
            }
        }

        @Override
        public int getLoginTimeout() {
            return source.getLoginTimeout();
        }
    }

    /**
     * A connection, within {@link JdbcStoreConfig#POOL_WAIT}. A failure that may pass is waited for during half of that time; one that stays until a
     * person acts is thrown at once.
     */
    @Override
    public Connection getConnection() throws SQLException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Connection connection = borrow();
            SQLException failure = FailedConnection.failureOf(connection);
            if (failure == null) {
                return connection;
            }
            pool.evictConnection(connection);
            boolean refused = failure instanceof ConnectFailure known && known.refused();
            long elapsed = System.nanoTime() - start;
            if (refused || elapsed + pause.toNanos() > wait.dividedBy(2).toNanos() || !sleep(pause)) {
                throw failure;
            }
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        }
    }

    private Connection borrow() throws SQLException {
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            SQLException known = lastFailure;
            if (known != null) {
                throw known;
            }
            HikariPoolMXBean state = pool.getHikariPoolMXBean();
            boolean busy = state != null && state.getActiveConnections() >= pool.getMaximumPoolSize();
            throw source.failure(
                    busy
                            ? "all " + pool.getMaximumPoolSize() + " connections were in use for " + wait.toMillis()
                                    + " ms; raise " + JdbcStoreConfig.POOL_MAX_SIZE
                                    + " if the server allows it, or find what takes long"
                            : "no answer within " + wait.toMillis() + " ms (" + JdbcStoreConfig.POOL_WAIT
                                    + "); check the network and whether PostgreSQL hangs",
                    e);
        }
    }

    private static boolean sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A connection broke: what broke it has most likely broken the others. Those in use are closed when they are given back. */
    void lost(String why) {
        losses.lost(why);
        leave();
    }

    /** Replaces the open connections, which may lead to a server that should be left. */
    void leave() {
        HikariPoolMXBean state = pool.getHikariPoolMXBean();
        if (state != null) {
            state.softEvictConnections();
        }
    }

    public boolean isClosed() {
        return pool.isClosed();
    }

    @Override
    public int getLoginTimeout() {
        return source.getLoginTimeout();
    }

    @Override
    public void close() {
        pool.close();
    }

    private static ThreadFactory threads() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "shelfmark-jdbc-pool-" + number.incrementAndGet());
            thread.setDaemon(true);
            thread.setContextClassLoader(ConnectionPool.class.getClassLoader());
            return thread;
        };
    }
}
