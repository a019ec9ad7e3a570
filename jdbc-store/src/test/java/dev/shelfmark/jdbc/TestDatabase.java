package dev.shelfmark.jdbc;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One database of a {@link TestServer}, and ways into it. */
record TestDatabase(TestServer server, String name) {

    String url() {
        return "jdbc:postgresql://localhost:" + server.port() + "/" + name;
    }

    /** The settings of a role, and more settings that override them. */
    Map<String, String> settings(String role, String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put(JdbcStoreConfig.URL, url());
        settings.put(JdbcStoreConfig.USER, role);
        settings.put(JdbcStoreConfig.PASSWORD, role);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    static StoreContext context(Map<String, String> settings, Duration retention, StoreListener listener) {
        return new StoreContext(
                new JdbcStoreProvider().configDef().parse(settings),
                new Retention(retention, Duration.ofDays(7)),
                "shelfmark-test",
                listener);
    }

    CatalogueStore store(String... more) {
        return store(Duration.ofDays(7), StoreListener.NONE, more);
    }

    CatalogueStore store(Duration retention, StoreListener listener, String... more) {
        return new JdbcStoreProvider().open(context(settings("broker", more), retention, listener));
    }

    CatalogueListing listing(String role) {
        return new JdbcStoreProvider().listing(context(settings(role), Duration.ofDays(7), StoreListener.NONE));
    }

    StoreAdministration administration(String... more) {
        return new JdbcStoreProvider()
                .administration(context(settings("owner", more), Duration.ZERO, StoreListener.NONE));
    }

    List<String> migrate() {
        try (StoreAdministration administration =
                administration(JdbcStoreConfig.GRANT_BROKER, "broker", JdbcStoreConfig.GRANT_AUDITOR, "auditor")) {
            return administration.migrate();
        }
    }

    /** As superuser. */
    Connection connect() throws SQLException {
        return server.connect(name);
    }

    /** As superuser. */
    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The first column, as superuser. */
    List<String> query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
