package dev.shelfmark.jdbc.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Opens connections with this class loader's own driver. pgjdbc's data sources go through {@code DriverManager}, which offers the URL to
 * every driver in the process, and HikariCP overwrites their login timeout with its own.
 */
public final class PostgresDataSource implements DataSource {

    /**
     * A statement is planned once, as each has one right plan whatever the values, and planning takes several times as long as running.
     * A plan for any value is made from averages, though, and may be older than the rows: every statement of a broker has an index, so
     * that reading a whole table is never right, however small or empty it was when the plan was made. And compiling what runs for
     * less than a millisecond takes a hundred.
     */
    private static final String PLANS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off";

    /** Where a policy would hide rows a query fails: an answer without them would say that they are not there. */
    private static final String WHOLE_ANSWERS = " -c row_security=off";

    private final Driver driver = new Driver();
    private final String url;
    private final Properties properties;

    public PostgresDataSource(JdbcStoreConfig config, String applicationName) {
        this.url = config.url();
        this.properties = properties(config, applicationName);
    }

    private static Properties properties(JdbcStoreConfig config, String applicationName) {
        Properties properties = new Properties();
        if (config.user() != null) {
            PGProperty.USER.set(properties, config.user());
        }
        if (config.password() != null) {
            PGProperty.PASSWORD.set(properties, config.password().value());
        }
        if (config.sslPassword() != null) {
            PGProperty.SSL_PASSWORD.set(properties, config.sslPassword().value());
        }
        PGProperty.APPLICATION_NAME.set(properties, applicationName);
        PGProperty.TARGET_SERVER_TYPE.set(properties, "primary");
        PGProperty.CONNECT_TIMEOUT.set(properties, seconds(config.connectTimeout()));
        PGProperty.LOGIN_TIMEOUT.set(properties, seconds(config.loginTimeout()));
        PGProperty.SOCKET_TIMEOUT.set(properties, seconds(config.socketTimeout()));
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        // Details quote whole rows, and a RemoteStorageManager's metadata may hold keys.
        PGProperty.LOG_SERVER_ERROR_DETAIL.set(properties, false);
        String options = options(config);
        if (!options.isEmpty()) {
            PGProperty.OPTIONS.set(properties, options);
        }
        return properties;
    }

    /**
     * What the server keeps for us, as options of the connection: SET would be lost, or leak, behind a transaction pooler. That is the
     * limits, how it plans, and that no policy hides rows unsaid. Without any limit nothing is sent at all, for poolers that take no options.
     */
    private static String options(JdbcStoreConfig config) {
        Map<String, Duration> limits = new LinkedHashMap<>();
        limits.put("statement_timeout", config.statementTimeout());
        limits.put("lock_timeout", config.lockTimeout());
        limits.put("idle_in_transaction_session_timeout", config.idleInTransactionTimeout());
        StringBuilder options = new StringBuilder();
        limits.forEach((name, limit) -> {
            if (!limit.isZero()) {
                options.append(options.isEmpty() ? PLANS + WHOLE_ANSWERS : "")
                        .append(" -c ")
                        .append(name)
                        .append('=')
                        .append(limit.toMillis());
            }
        });
        return options.toString();
    }

    private static int seconds(Duration duration) {
        return Math.toIntExact((duration.toMillis() + 999) / 1000);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("pgjdbc does not accept the URL in " + JdbcStoreConfig.URL, "08001");
        }
        try {
            StatementPooling.refuseUnlessSafe(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the role comes from " + JdbcStoreConfig.USER);
    }

    /** Does nothing: the limit is {@link JdbcStoreConfig#LOGIN_TIMEOUT}, whatever a pool thinks. */
    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return Integer.parseInt(properties.getProperty(PGProperty.LOGIN_TIMEOUT.getName()));
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing of " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
