package dev.shelfmark.jdbc.connection;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Checks {@link JdbcStoreConfig#URL}. URLs show up in logs, process lists and {@code DescribeConfigs}, so no secret may be in
 * one; and what has a setting of its own is refused, because the URL would win over it unseen.
 */
final class PostgresUrl {

    private static final Map<PGProperty, String> SETTINGS = settings();

    /** Classes of others, which have parameters of their own. */
    private static final Set<PGProperty> PLUGGED_IN = Set.of(
            PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME,
            PGProperty.SOCKET_FACTORY,
            PGProperty.SSL_FACTORY,
            PGProperty.SSL_HOSTNAME_VERIFIER,
            PGProperty.SSL_PASSWORD_CALLBACK,
            PGProperty.XML_FACTORY_FACTORY);

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
        // The driver would take it for a part of the database's name, and the server would tell it in its refusal.
        if (url.split("\\?", 2)[0].contains("=")) {
            throw refused(
                    "what has an equals sign before the question mark is no URL; user and password do not belong into it at all; "
                            + hint);
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
        refuseUnknown(parsed);
        // The values then travel within the text, and the types of arrays are lost: a commit of several segments would
        // fail, and no other.
        if ("simple".equals(parsed.getProperty(PGProperty.PREFER_QUERY_MODE.getName()))) {
            throw refused(PGProperty.PREFER_QUERY_MODE.getName()
                    + " must not be simple; behind a pooler set prepareThreshold=0 instead");
        }
        String target = parsed.getProperty(PGProperty.TARGET_SERVER_TYPE.getName(), "primary");
        if (!target.equals("primary")) {
            throw refused(PGProperty.TARGET_SERVER_TYPE.getName()
                    + " must be primary or left out: a standby lags behind, and a"
                    + " catalogue read from it may lack segments that exist");
        }
    }

    /** The driver passes over what it does not know, without a word: a wrong name for encryption means none. */
    private static void refuseUnknown(Properties parsed) {
        if (PLUGGED_IN.stream().anyMatch(property -> parsed.getProperty(property.getName()) != null)) {
            return;
        }
        for (String name : new TreeSet<>(parsed.stringPropertyNames())) {
            if (PGProperty.forName(name) == null) {
                String meant = Arrays.stream(PGProperty.values())
                        .map(PGProperty::getName)
                        .filter(known -> plain(known).equals(plain(name)))
                        .findFirst()
                        .map(known -> "; did you mean " + known + "?")
                        .orElse("");
                throw refused("pgjdbc knows no parameter " + name + ", and would ignore it" + meant);
            }
        }
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Without the value: it may hold the secret that it is refused for. */
    private static ConfigException refused(String why) {
        return new ConfigException("Invalid value for configuration " + JdbcStoreConfig.URL + ": " + why);
    }
}
