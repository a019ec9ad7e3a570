package dev.shelfmark.jdbc.connection;

import dev.shelfmark.jdbc.credentials.CredentialsProvider;
import dev.shelfmark.jdbc.credentials.Login;
import dev.shelfmark.jdbc.transport.TlsSocketFactory;
import dev.shelfmark.jdbc.transport.UtcSocketFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.ClassLoaderStrategy;

/**
 * Opens connections with this class loader's own driver. pgjdbc's data sources go through {@code DriverManager}, which offers the URL to
 * every driver in the process, and HikariCP overwrites their login timeout with its own.
 */
public final class PostgresDataSource extends PlainDataSource {

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
    private final ServerAddress server;
    private final String defaultUser;
    private final CredentialsProvider credentials;
    private final Properties properties;

    public PostgresDataSource(JdbcStoreConfig config, String applicationName) {
        this.url = config.url();
        this.server = ServerAddress.of(url);
        String user = config.login().user();
        this.defaultUser = user == null ? System.getProperty("user.name", "") : user;
        this.credentials = config.login().provider();
        this.properties = properties(config, applicationName);
    }

    private static Properties properties(JdbcStoreConfig config, String applicationName) {
        Properties properties = new Properties();
        if (config.sslPassword() != null) {
            PGProperty.SSL_PASSWORD.set(properties, config.sslPassword().value());
        }
        PGProperty.APPLICATION_NAME.set(properties, applicationName);
        // Where the URL names classes of its own, those are used.
        PGProperty.CLASS_LOADER_STRATEGY.set(properties, ClassLoaderStrategy.DRIVER_FIRST.value);
        PGProperty.SOCKET_FACTORY.set(properties, UtcSocketFactory.class.getName());
        PGProperty.SSL_FACTORY.set(properties, TlsSocketFactory.class.getName());
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

    /**
     * A new connection, with a login that was asked for now.
     *
     * @throws SQLException that names the address, the login, the cause and the next step
     */
    @Override
    public Connection getConnection() throws SQLException {
        Login login = login();
        String user = login.user() == null ? defaultUser : login.user();
        Properties mine = new Properties();
        mine.putAll(properties);
        PGProperty.USER.set(mine, user);
        if (login.password() != null) {
            PGProperty.PASSWORD.set(mine, login.password());
        }
        try {
            return connected(mine);
        } catch (SQLException e) {
            throw new ConnectFailure(server, user, ConnectAdvice.of(e, login.password() != null), e.getSQLState(), e);
        }
    }

    private Login login() throws SQLException {
        try {
            return credentials.login(new CredentialsProvider.Address(
                    server.firstHost(),
                    server.firstPort(),
                    server.database() == null ? defaultUser : server.database(),
                    defaultUser));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted while it was asked for a login", e);
        } catch (Exception e) {
            throw failure("there is no login now: " + e.getMessage(), e);
        }
    }

    private Connection connected(Properties mine) throws SQLException {
        Connection connection = driver.connect(url, mine);
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

    /** A failure to connect that is not the driver's. */
    SQLException failure(String why, Throwable cause) {
        return new ConnectFailure(server, defaultUser, why, "08001", cause);
    }

    /** Where the URL leads. */
    ServerAddress server() {
        return server;
    }

    @Override
    public int getLoginTimeout() {
        return Integer.parseInt(properties.getProperty(PGProperty.LOGIN_TIMEOUT.getName()));
    }
}
