package dev.shelfmark.jdbc.connection;

import dev.shelfmark.jdbc.credentials.LoginSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** The settings of this store, {@code jdbc.*}. Every wait has a limit. */
public record JdbcStoreConfig(
        String url,
        LoginSettings login,
        @Nullable Password sslPassword,
        SchemaName schema,
        int poolMaxSize,
        Duration poolWait,
        Duration poolIdle,
        Duration poolMaxLifetime,
        Duration connectTimeout,
        Duration loginTimeout,
        Duration socketTimeout,
        Duration statementTimeout,
        Duration lockTimeout,
        Duration idleInTransactionTimeout,
        Duration migrationTimeout,
        List<String> brokerRoles,
        List<String> auditorRoles) {

    public static final String URL = "jdbc.url";
    private static final String URL_DOC =
            "Where PostgreSQL is: jdbc:postgresql://host:port/database. Several hosts may be"
                    + " given; only a primary is used. TLS is set up with pgjdbc's parameters, such as"
                    + " ?sslmode=verify-full&sslrootcert=/path/ca.pem, and sslcert and sslkey for a client certificate; one that pgjdbc does not know is refused. Behind PgBouncer in transaction mode add prepareThreshold=0"
                    + " (or set its max_prepared_statements), and set the three limits that travel as connection options to 0:"
                    + " jdbc.statement.timeout.ms, jdbc.lock.timeout.ms, jdbc.idle.in.transaction.timeout.ms; set them on the role"
                    + " instead. A user or password in the URL is refused: URLs are logged and listed in plain text.";

    public static final String USER = LoginSettings.USER;

    public static final String PASSWORD = LoginSettings.PASSWORD;

    public static final String SSL_PASSWORD = "jdbc.ssl.key.password";
    private static final String SSL_PASSWORD_DOC =
            "The password of the client key that the URL's sslkey names, if it has one.";

    public static final String SCHEMA = "jdbc.schema";
    private static final String SCHEMA_DOC =
            "The schema that holds the catalogue. Several Kafka clusters may share one.";

    public static final String POOL_MAX_SIZE = "jdbc.pool.max.size";
    private static final String POOL_MAX_SIZE_DOC =
            "How many connections a broker opens at most. The server's max_connections must allow for all brokers.";

    public static final String POOL_WAIT = "jdbc.pool.wait.timeout.ms";
    private static final String POOL_WAIT_DOC =
            "How long a request waits for a free connection, a new one included, before it fails as unavailable.";

    static final String POOL_IDLE = "jdbc.pool.idle.timeout.ms";
    private static final String POOL_IDLE_DOC =
            "A connection that was not used for so long is closed. An idle broker holds none.";

    static final String POOL_MAX_LIFETIME = "jdbc.pool.max.lifetime.ms";
    private static final String POOL_MAX_LIFETIME_DOC =
            "A connection is replaced when it is this old, so that changed addresses are taken up.";

    static final String CONNECT_TIMEOUT = "jdbc.connect.timeout.ms";
    private static final String CONNECT_TIMEOUT_DOC =
            "How long opening a TCP connection to one host may take. Rounded up to whole seconds.";

    public static final String LOGIN_TIMEOUT = "jdbc.login.timeout.ms";
    private static final String LOGIN_TIMEOUT_DOC =
            "How long connecting may take in all: every host, TLS and authentication. Rounded up to whole seconds.";

    public static final String SOCKET_TIMEOUT = "jdbc.socket.timeout.ms";
    private static final String SOCKET_TIMEOUT_DOC =
            "How long the server may stay silent before the connection is given up."
                    + " Rounded up to whole seconds. Must be longer than jdbc.statement.timeout.ms, so that it is the server that"
                    + " gives up first and the outcome is known.";

    public static final String STATEMENT_TIMEOUT = "jdbc.statement.timeout.ms";
    private static final String STATEMENT_TIMEOUT_DOC =
            "The server ends a statement that runs longer (statement_timeout). 0 leaves it to the server's own setting.";

    public static final String LOCK_TIMEOUT = "jdbc.lock.timeout.ms";
    private static final String LOCK_TIMEOUT_DOC =
            "The server ends a statement that waits longer for another one's lock"
                    + " (lock_timeout). 0 leaves it to the server's own setting.";

    public static final String IDLE_IN_TRANSACTION_TIMEOUT = "jdbc.idle.in.transaction.timeout.ms";
    private static final String IDLE_IN_TRANSACTION_TIMEOUT_DOC =
            "The server ends a session that holds a transaction open"
                    + " without working (idle_in_transaction_session_timeout). 0 leaves it to the server's own setting.";

    public static final String MIGRATION_TIMEOUT = "jdbc.migration.timeout.ms";
    private static final String MIGRATION_TIMEOUT_DOC =
            "For `shelfmark init` and `shelfmark upgrade-schema` only: how long one step of"
                    + " a migration may run, and how long to wait for another migration to end.";

    public static final String GRANT_BROKER = "jdbc.grant.broker";
    private static final String GRANT_BROKER_DOC =
            "For `shelfmark init` and `shelfmark upgrade-schema` only: existing roles that are"
                    + " given a broker's rights (read and write the catalogue, no DDL).";

    public static final String GRANT_AUDITOR = "jdbc.grant.auditor";
    private static final String GRANT_AUDITOR_DOC =
            "For `shelfmark init` and `shelfmark upgrade-schema` only: existing roles that are"
                    + " given an auditor's rights (read only).";

    private static final ConfigDef.Validator ROLES = ConfigDef.LambdaValidator.with(
            (name, roles) -> {
                if (roles instanceof List<?> names && names.contains("")) {
                    throw new ConfigException(name, roles, "one of the names is empty: is there a comma too many?");
                }
            },
            () -> "names of roles");

    public static ConfigDef definition() {
        ConfigDef address = new ConfigDef()
                .define(
                        URL,
                        ConfigDef.Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.LambdaValidator.with(
                                (name, url) -> {
                                    if (url != null) {
                                        PostgresUrl.check((String) url);
                                    }
                                },
                                () -> "a jdbc:postgresql: URL without secrets"),
                        Importance.HIGH,
                        URL_DOC);
        return LoginSettings.define(address)
                .define(SSL_PASSWORD, ConfigDef.Type.PASSWORD, null, Importance.LOW, SSL_PASSWORD_DOC)
                .define(
                        SCHEMA,
                        ConfigDef.Type.STRING,
                        "shelfmark",
                        ConfigDef.LambdaValidator.with(
                                (name, schema) -> new SchemaName((String) Objects.requireNonNull(schema)),
                                () -> "a plain lower-case identifier"),
                        Importance.MEDIUM,
                        SCHEMA_DOC)
                .define(
                        POOL_MAX_SIZE,
                        ConfigDef.Type.INT,
                        10,
                        Range.between(1, 1000),
                        Importance.MEDIUM,
                        POOL_MAX_SIZE_DOC)
                .define(POOL_WAIT, ConfigDef.Type.LONG, 5_000L, millis(250), Importance.MEDIUM, POOL_WAIT_DOC)
                .define(POOL_IDLE, ConfigDef.Type.LONG, 300_000L, millis(10_000), Importance.LOW, POOL_IDLE_DOC)
                .define(
                        POOL_MAX_LIFETIME,
                        ConfigDef.Type.LONG,
                        1_800_000L,
                        millis(30_000),
                        Importance.LOW,
                        POOL_MAX_LIFETIME_DOC)
                .define(CONNECT_TIMEOUT, ConfigDef.Type.LONG, 5_000L, millis(1), Importance.MEDIUM, CONNECT_TIMEOUT_DOC)
                .define(LOGIN_TIMEOUT, ConfigDef.Type.LONG, 10_000L, millis(1), Importance.MEDIUM, LOGIN_TIMEOUT_DOC)
                .define(SOCKET_TIMEOUT, ConfigDef.Type.LONG, 30_000L, millis(1), Importance.MEDIUM, SOCKET_TIMEOUT_DOC)
                .define(
                        STATEMENT_TIMEOUT,
                        ConfigDef.Type.LONG,
                        20_000L,
                        millis(0),
                        Importance.MEDIUM,
                        STATEMENT_TIMEOUT_DOC)
                .define(LOCK_TIMEOUT, ConfigDef.Type.LONG, 10_000L, millis(0), Importance.MEDIUM, LOCK_TIMEOUT_DOC)
                .define(
                        IDLE_IN_TRANSACTION_TIMEOUT,
                        ConfigDef.Type.LONG,
                        60_000L,
                        millis(0),
                        Importance.LOW,
                        IDLE_IN_TRANSACTION_TIMEOUT_DOC)
                .define(
                        MIGRATION_TIMEOUT,
                        ConfigDef.Type.LONG,
                        600_000L,
                        millis(1_000),
                        Importance.LOW,
                        MIGRATION_TIMEOUT_DOC)
                .define(GRANT_BROKER, ConfigDef.Type.LIST, List.of(), ROLES, Importance.MEDIUM, GRANT_BROKER_DOC)
                .define(GRANT_AUDITOR, ConfigDef.Type.LIST, List.of(), ROLES, Importance.LOW, GRANT_AUDITOR_DOC);
    }

    /** A day is longer than any sensible limit, and short enough for every API below, some of which count in int seconds. */
    private static Range millis(long least) {
        return Range.between(least, Duration.ofDays(1).toMillis());
    }

    /** From parsed values; refuses those that contradict each other. */
    public static JdbcStoreConfig of(Map<String, Object> values) {
        JdbcStoreConfig config = new JdbcStoreConfig(
                text(values, URL),
                LoginSettings.of(values),
                (Password) values.get(SSL_PASSWORD),
                new SchemaName(text(values, SCHEMA)),
                (Integer) Objects.requireNonNull(values.get(POOL_MAX_SIZE), POOL_MAX_SIZE),
                duration(values, POOL_WAIT),
                duration(values, POOL_IDLE),
                duration(values, POOL_MAX_LIFETIME),
                duration(values, CONNECT_TIMEOUT),
                duration(values, LOGIN_TIMEOUT),
                duration(values, SOCKET_TIMEOUT),
                duration(values, STATEMENT_TIMEOUT),
                duration(values, LOCK_TIMEOUT),
                duration(values, IDLE_IN_TRANSACTION_TIMEOUT),
                duration(values, MIGRATION_TIMEOUT),
                list(values, GRANT_BROKER),
                list(values, GRANT_AUDITOR));
        if (config.socketTimeout.compareTo(config.statementTimeout) <= 0) {
            throw new ConfigException(SOCKET_TIMEOUT + " (" + config.socketTimeout.toMillis() + ") must be longer than "
                    + STATEMENT_TIMEOUT + " (" + config.statementTimeout.toMillis()
                    + "): otherwise the outcome of slow writes would be unknown");
        }
        return config;
    }

    /** Whether the server is told no limit, as for a pooler that takes no connection options. */
    public boolean limitless() {
        return statementTimeout.isZero() && lockTimeout.isZero() && idleInTransactionTimeout.isZero();
    }

    /** The same for migrations, whose statements run longer. Who tells the server no limit tells it none here either. */
    public JdbcStoreConfig forMigrations() {
        boolean limitless = limitless();
        return new JdbcStoreConfig(
                url,
                login,
                sslPassword,
                schema,
                poolMaxSize,
                poolWait,
                poolIdle,
                poolMaxLifetime,
                connectTimeout,
                loginTimeout,
                migrationTimeout.plus(socketTimeout),
                limitless ? Duration.ZERO : migrationTimeout,
                lockTimeout,
                limitless ? Duration.ZERO : migrationTimeout.plus(socketTimeout),
                migrationTimeout,
                brokerRoles,
                auditorRoles);
    }

    private static String text(Map<String, Object> values, String name) {
        return (String) Objects.requireNonNull(values.get(name), name);
    }

    private static Duration duration(Map<String, Object> values, String name) {
        return Duration.ofMillis((Long) Objects.requireNonNull(values.get(name), name));
    }

    private static List<String> list(Map<String, Object> values, String name) {
        return ((List<?>) Objects.requireNonNull(values.get(name), name))
                .stream().map(String.class::cast).toList();
    }
}
