package dev.shelfmark.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What a request does with a connection. */
@FunctionalInterface
interface ConnectionWork<T> {
    T with(Connection connection) throws SQLException;
}
