package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings are checked before anything is done with them. */
final class JdbcStoreConfigTest {

    private static final String PLAIN = "jdbc:postgresql://localhost/test";

    private static JdbcStoreConfig parse(String... settings) {
        Map<String, String> values = new HashMap<>(Map.of(JdbcStoreConfig.URL, PLAIN));
        for (int i = 0; i < settings.length; i += 2) {
            values.put(settings[i], settings[i + 1]);
        }
        return JdbcStoreConfig.of(JdbcStoreConfig.definition().parse(values));
    }

    @Test
    void defaultsSuffice() {
        JdbcStoreConfig config = parse();
        assertThat(config.schema().name()).isEqualTo("shelfmark");
        assertThat(config.socketTimeout()).isGreaterThan(config.statementTimeout());
        assertThat(config.statementTimeout()).isGreaterThan(config.lockTimeout());
    }

    @Test
    void everySettingIsNamedAndExplained() {
        for (ConfigDef.ConfigKey key : JdbcStoreConfig.definition().configKeys().values()) {
            assertThat(key.name).startsWith("jdbc.");
            assertThat(key.documentation).as(key.name).isNotBlank();
        }
    }

    @Test
    void aUrlIsNeeded() {
        assertThatThrownBy(() -> JdbcStoreConfig.definition().parse(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc.url");
    }

    @ParameterizedTest
    @CsvSource({
        "user=hunter2, jdbc.user",
        "password=hunter2, jdbc.password",
        "sslpassword=hunter2, jdbc.ssl.key.password",
        "sslmode=require&password=hunter2, jdbc.password",
        "currentSchema=hunter2, jdbc.schema",
        "socketTimeout=2, jdbc.socket.timeout.ms",
        "connectTimeout=2, jdbc.connect.timeout.ms",
        "loginTimeout=2, jdbc.login.timeout.ms",
        "options=-c%20hunter2, jdbc.statement.timeout.ms",
        "preferQueryMode=simple, prepareThreshold=0",
        "targetServerType=any, primary"
    })
    void whatHasASettingDoesNotBelongIntoTheUrl(String parameters, String instead) {
        assertThatThrownBy(() -> parse(JdbcStoreConfig.URL, PLAIN + "?" + parameters))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc.url")
                .hasMessageContaining(instead)
                .message()
                .doesNotContain("hunter2");
    }

    /** The driver takes no notice of them: of encryption that is asked for by a wrong name, nothing is heard or seen. */
    @ParameterizedTest
    @CsvSource({
        "sslMode=verify-full, did you mean sslmode?",
        "ssl_mode=verify-full, did you mean sslmode?",
        "sslmode=verify-full&sslRootCert=/x/ca.pem, did you mean sslrootcert?",
        "prepareThreshhold=0, no parameter prepareThreshhold",
        "Password=hunter2, did you mean password?",
        "target_server_type=any, did you mean targetServerType?"
    })
    void aParameterThatTheDriverDoesNotKnowIsRefused(String parameters, String told) {
        assertThatThrownBy(() -> parse(JdbcStoreConfig.URL, PLAIN + "?" + parameters))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc.url")
                .hasMessageContaining(told)
                .message()
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://ann:hunter2@localhost/test",
                "jdbc:postgresql://ann:hunter2@localhost:5432/test?sslmode=require",
                "jdbc:postgresql://ann:hun/hunter2@one:5432,two:5432/test",
                "jdbc:postgresql://ann@localhost/test"
            })
    void aLoginBeforeTheHostIsRefusedAndNotTold(String url) {
        List<String> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage() + " " + Arrays.toString(line.getParameters()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger driver = Logger.getLogger("org.postgresql");
        driver.addHandler(handler);
        try {
            assertThatThrownBy(() -> parse(JdbcStoreConfig.URL, url))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("jdbc.user")
                    .hasMessageContaining("jdbc.password")
                    .message()
                    .doesNotContain("hunter2", "ann");
        } finally {
            driver.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "postgresql://localhost/x",
                "jdbc:mysql://localhost/x",
                "jdbc:postgresql://host:port/x",
                "jdbc:postgresql://host/x&password=hunter2",
                "jdbc:postgresql://host/x;password=hunter2?sslmode=require",
                "jdbc:postgresql:x&password=hunter2"
            })
    void whatIsNoUrlIsRefused(String url) {
        assertThatThrownBy(() -> parse(JdbcStoreConfig.URL, url))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc:postgresql://host:port/database")
                .message()
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://one:5432,two:5433/db?targetServerType=primary&sslmode=verify-full",
                "jdbc:postgresql:db",
                "jdbc:postgresql://one/db?socketFactory=org.acme.Proxy&acmeInstance=a:b",
                "jdbc:postgresql://one/db?authenticationPluginClassName=org.acme.Iam&acmeRegion=north",
                "jdbc:postgresql://[::1]:5432/db?prepareThreshold=0&sslrootcert=/x/ca.pem"
            })
    void otherParametersPass(String url) {
        assertThat(parse(JdbcStoreConfig.URL, url).url()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shelf", "1shelf", "shelf mark", "shelf\"", "pg_shelf", "shelf;drop", "schéma"})
    void schemaNamesArePlain(String name) {
        assertThatThrownBy(() -> parse(JdbcStoreConfig.SCHEMA, name)).isInstanceOf(ConfigException.class);
    }

    @Test
    void migrationsHaveTheirOwnLimitsUnlessTheServerIsToldNone() {
        JdbcStoreConfig limited =
                parse(JdbcStoreConfig.MIGRATION_TIMEOUT, "90000").forMigrations();
        assertThat(limited.statementTimeout()).hasSeconds(90);
        assertThat(limited.idleInTransactionTimeout()).hasSeconds(120);

        JdbcStoreConfig limitless = parse(
                        JdbcStoreConfig.STATEMENT_TIMEOUT,
                        "0",
                        JdbcStoreConfig.LOCK_TIMEOUT,
                        "0",
                        JdbcStoreConfig.IDLE_IN_TRANSACTION_TIMEOUT,
                        "0")
                .forMigrations();
        assertThat(limitless.limitless()).isTrue();
        assertThat(limitless.socketTimeout()).hasSeconds(630);
    }

    /** As after a comma too many. */
    @ParameterizedTest
    @ValueSource(strings = {"shelfmark_broker,", ", ", "one,,two"})
    void anEmptyNameOfARoleIsRefused(String roles) {
        for (String setting : List.of(JdbcStoreConfig.GRANT_BROKER, JdbcStoreConfig.GRANT_AUDITOR)) {
            assertThatThrownBy(() -> parse(setting, roles))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(setting);
        }
    }

    @Test
    void theServerGivesUpBeforeTheClient() {
        assertThatThrownBy(() ->
                        parse(JdbcStoreConfig.SOCKET_TIMEOUT, "20000", JdbcStoreConfig.STATEMENT_TIMEOUT, "20000"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("jdbc.socket.timeout.ms")
                .hasMessageContaining("jdbc.statement.timeout.ms");
    }
}
