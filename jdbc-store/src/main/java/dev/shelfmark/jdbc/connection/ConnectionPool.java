package dev.shelfmark.jdbc.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Sets up HikariCP: it never connects before it is asked, keeps no idle connection for ever, and its threads are ours by name. */
public final class ConnectionPool {

    private ConnectionPool() {}

    public static HikariDataSource open(JdbcStoreConfig config, String applicationName) {
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName(applicationName);
        hikari.setDataSource(new PostgresDataSource(config, applicationName));
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
        return new HikariDataSource(hikari);
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
