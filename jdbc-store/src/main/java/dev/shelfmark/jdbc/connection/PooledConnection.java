package dev.shelfmark.jdbc.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that says that it is dead without throwing anything. HikariCP sets a time limit before and after it asks, pgjdbc refuses that on
 * a connection that the server has closed, and HikariCP then logs a warning for each connection, with advice that does not fit.
 */
final class PooledConnection implements InvocationHandler {

    private final Connection connection;
    private final Runnable dead;

    private PooledConnection(Connection connection, Runnable dead) {
        this.connection = connection;
        this.dead = dead;
    }

    /**
     * Wraps a driver's connection.
     *
     * @param dead is run when it is found dead
     */
    static Connection of(Connection connection, Runnable dead) {
        return (Connection) Proxy.newProxyInstance(
                Objects.requireNonNull(PooledConnection.class.getClassLoader()),
                new Class<?>[] {Connection.class},
                new PooledConnection(connection, dead));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return switch (method.getName()) {
                case "isValid" -> valid(arguments == null ? 0 : (Integer) arguments[0]);
                case "equals" -> arguments != null && proxy == arguments[0];
                default -> method.invoke(connection, arguments);
            };
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause() == null ? e : e.getCause();
            if (method.getName().equals("setNetworkTimeout") && connection.isClosed()) {
                return null;
            }
            throw thrown;
        }
    }

    private boolean valid(int seconds) {
        boolean valid;
        try {
            valid = connection.isValid(seconds);
        } catch (SQLException e) {
            valid = false;
        }
        if (!valid) {
            dead.run();
        }
        return valid;
    }
}
