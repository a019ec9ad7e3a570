package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.PostgresDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions are in UTC whatever the JVM's time zone is, one that PostgreSQL does not know included. */
@Timeout(60)
final class TimeZoneTest {

    private final TestDatabase database = TestServer.shared().database();

    static String zone(Map<String, String> settings) throws SQLException {
        PostgresDataSource dataSource = new PostgresDataSource(
                JdbcStoreConfig.of(new JdbcStoreProvider().configDef().parse(settings)), "zone");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('TimeZone') || ' ' || current_setting('application_name')")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aSessionIsInUtc() throws SQLException {
        assertThat(zone(database.settings("broker"))).isEqualTo("UTC zone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"IST", "SystemV/PST8", "Asia/Kolkata", "GMT+05:30"})
    void noMatterTheJvms(String zone) throws IOException, InterruptedException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.timezone=" + zone,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        InAnotherJvm.class.getName(),
                        database.url())
                .redirectErrorStream(true)
                .start();
        String said = new String(jvm.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("JVM " + zone + " session UTC zone");
    }

    /** What a broker with another time zone does. */
    static final class InAnotherJvm {

        private InAnotherJvm() {}

        public static void main(String[] args) throws SQLException {
            Map<String, String> settings = Map.of(
                    JdbcStoreConfig.URL, args[0], JdbcStoreConfig.USER, "broker", JdbcStoreConfig.PASSWORD, "broker");
            System.out.println("JVM " + java.util.TimeZone.getDefault().getID() + " session " + zone(settings));
        }
    }
}
