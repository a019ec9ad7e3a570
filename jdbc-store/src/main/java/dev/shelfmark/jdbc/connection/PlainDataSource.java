package dev.shelfmark.jdbc.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The parts of a data source that nobody needs here. */
abstract class PlainDataSource implements DataSource {

    @Override
    public final Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the role comes from " + JdbcStoreConfig.USER);
    }

    /** Does nothing: the limit is {@link JdbcStoreConfig#LOGIN_TIMEOUT}, whatever a pool thinks. */
    @Override
    public final void setLoginTimeout(int seconds) {}

    @Override
    public final @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public final void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("logs nothing of its own");
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing of " + type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
