package dev.shelfmark.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** What a request does with a connection. */
@FunctionalInterface
public interface ConnectionWork<T> {
    T with(Connection connection) throws SQLException;
}
