package dev.shelfmark.jdbc.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of a connection that was not made, and says why. HikariCP keeps a failure to itself until the wait for a connection is over,
 * and logs it with a stack trace once a minute; handed over as a connection, it reaches who waits, at once and alone.
 */
final class FailedConnection implements InvocationHandler {

    private final SQLException failure;
    private final int networkTimeoutMillis;

    private FailedConnection(SQLException failure, int networkTimeoutMillis) {
        this.failure = failure;
        this.networkTimeoutMillis = networkTimeoutMillis;
    }

    /**
     * In place of a connection.
     *
     * @param networkTimeout what real ones have: the pool asks the first that it gets, and gives the answer to all
     */
    static Connection of(SQLException failure, Duration networkTimeout) {
        return (Connection) Proxy.newProxyInstance(
                Objects.requireNonNull(FailedConnection.class.getClassLoader()),
                new Class<?>[] {Connection.class},
                new FailedConnection(failure, Math.toIntExact(networkTimeout.toMillis())));
    }

    /** Why there is none; null for a real connection. */
    static @Nullable SQLException failureOf(Connection connection) throws SQLException {
        return connection.isWrapperFor(FailedConnection.class)
                ? connection.unwrap(FailedConnection.class).failure
                : null;
    }

    /** What a pool asks of a new connection before it hands it out. */
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws SQLException {
        return switch (method.getName()) {
            case "isWrapperFor" -> arguments != null && arguments[0] == FailedConnection.class;
            case "unwrap" -> this;
            case "getNetworkTimeout" -> networkTimeoutMillis;
            case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
            case "getAutoCommit", "isClosed" -> true;
            case "isReadOnly", "isValid" -> false;
            case "setNetworkTimeout", "close", "abort", "clearWarnings" -> null;
            case "getWarnings", "getCatalog", "getSchema" -> null;
            case "toString" -> "no connection";
            case "hashCode" -> System.identityHashCode(this);
            case "equals" -> arguments != null && proxy == arguments[0];
            default -> throw failure;
        };
    }
}
