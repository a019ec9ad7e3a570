package dev.shelfmark.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Checks {@link JdbcStoreConfig#URL}. URLs show up in logs, process lists and {@code DescribeConfigs}, so no secret may be in
 * one; and what has a setting of its own is refused, because the URL would win over it unseen.
 */
final class PostgresUrl {

    private static final Map<PGProperty, String> SETTINGS = settings();

    private PostgresUrl() {}

    private static Map<PGProperty, String> settings() {
        Map<PGProperty, String> settings = new LinkedHashMap<>();
        settings.put(PGProperty.USER, JdbcStoreConfig.USER);
        settings.put(PGProperty.PASSWORD, JdbcStoreConfig.PASSWORD);
        settings.put(PGProperty.SSL_PASSWORD, JdbcStoreConfig.SSL_PASSWORD);
        settings.put(PGProperty.CURRENT_SCHEMA, JdbcStoreConfig.SCHEMA);
        settings.put(PGProperty.CONNECT_TIMEOUT, JdbcStoreConfig.CONNECT_TIMEOUT);
        settings.put(PGProperty.LOGIN_TIMEOUT, JdbcStoreConfig.LOGIN_TIMEOUT);
        settings.put(PGProperty.SOCKET_TIMEOUT, JdbcStoreConfig.SOCKET_TIMEOUT);
        settings.put(PGProperty.OPTIONS, JdbcStoreConfig.STATEMENT_TIMEOUT + " and its neighbours");
        return settings;
    }

    static void check(String url) {
        String hint = "the URL has the form jdbc:postgresql://host:port/database?parameter=value&...";
        if (!url.startsWith("jdbc:postgresql:")) {
            throw refused(hint);
        }
        // Before the driver sees it: it would take what stands before the @ for a host or a port, and tell it in its
        // warnings.
        if (url.split("\\?", 2)[0].contains("@")) {
            throw refused("user and password do not belong into the URL, which is logged and listed in plain text: use "
                    + JdbcStoreConfig.USER + " and " + JdbcStoreConfig.PASSWORD);
        }
        Properties parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            throw refused(hint);
        }
        SETTINGS.forEach((property, setting) -> {
            if (parsed.stringPropertyNames().contains(property.getName())) {
                throw refused(
                        "the parameter " + property.getName() + " does not belong into the URL, which is logged and"
                                + " listed in plain text: use " + setting);
            }
        });
        String target = parsed.getProperty(PGProperty.TARGET_SERVER_TYPE.getName(), "primary");
        if (!target.equals("primary")) {
            throw refused(PGProperty.TARGET_SERVER_TYPE.getName()
                    + " must be primary or left out: a standby lags behind, and a"
                    + " catalogue read from it may lack segments that exist");
        }
    }

    /** Without the value: it may hold the secret that it is refused for. */
    private static ConfigException refused(String why) {
        return new ConfigException("Invalid value for configuration " + JdbcStoreConfig.URL + ": " + why);
    }
}
