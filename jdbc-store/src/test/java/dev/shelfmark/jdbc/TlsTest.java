package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS that fails is told by its cause, and TLS that works starts sessions in UTC. */
@Timeout(120)
final class TlsTest {

    @TempDir
    static Path directory;

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        certificates.authority("ca");
        certificates.authority("other");
        certificates.signed("good", "localhost", "-1d", 30);
        certificates.signed("expired", "localhost", "-10d", 5);
        certificates.signed("elsewhere", "db.example.com", "-1d", 30);
        certificates.signed("client", "client", "-1d", 30);
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_ca_file", directory.resolve("ca.pem").toString())
                .setServerConfig(
                        "ssl_cert_file", directory.resolve("server.crt").toString())
                .setServerConfig("ssl_key_file", directory.resolve("server.key").toString())
                .setDataDirectoryCustomizer(TlsTest::rules)
                .start();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create role client login");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    private static void rules(File data) {
        try {
            use("good");
            Files.writeString(
                    data.toPath().resolve("pg_hba.conf"), "host all postgres all trust\nhostssl all client all cert\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void use(String certificate) throws IOException {
        Files.write(directory.resolve("server.crt"), Files.readAllBytes(directory.resolve(certificate + ".crt")));
        Path key = directory.resolve("server.key");
        Files.write(key, Files.readAllBytes(directory.resolve(certificate + ".key")));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void reload(String certificate) throws Exception {
        use(certificate);
        String before = loaded("select pg_conf_load_time()");
        loaded("select pg_reload_conf()");
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> !loaded("select pg_conf_load_time()").equals(before));
    }

    private static String loaded(String query) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Map<String, String> settings(String user, String parameters) {
        Map<String, String> settings = new HashMap<>();
        settings.put(
                JdbcStoreConfig.URL, "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?" + parameters);
        settings.put(JdbcStoreConfig.USER, user);
        return settings;
    }

    private static void refused(String parameters, String... parts) {
        try (StoreAdministration administration = new JdbcStoreProvider()
                .administration(TestDatabase.context(
                        settings("postgres", parameters), Duration.ZERO, dev.shelfmark.store.StoreListener.NONE))) {
            assertThatThrownBy(administration::clusters)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageStartingWith("cannot connect to PostgreSQL at localhost:" + postgres.getPort()
                            + "/postgres as postgres: ")
                    .hasMessageContainingAll(parts)
                    .message()
                    .doesNotContain("pool.max.size");
        }
    }

    private static String verifyFull() {
        return "sslmode=verify-full&sslrootcert=" + directory.resolve("ca.pem");
    }

    @Test
    void eachCauseIsToldAsItIs() throws Exception {
        assertThat(TimeZoneTest.zone(settings("postgres", verifyFull()))).isEqualTo("UTC zone");
        refused(
                "sslmode=verify-full&sslrootcert=" + directory.resolve("other.pem"),
                "the server's certificate is not signed by sslrootcert=" + directory.resolve("other.pem"));
        refused("sslmode=verify-full&sslrootcert=/none.pem", "cannot read sslrootcert=/none.pem");
        refused("sslmode=verify-full", "no sslrootcert: ", "add sslrootcert=/path/ca.pem to jdbc.url");
        reload("expired");
        refused(verifyFull(), "the server's certificate expired on 20", "renew it");
        reload("elsewhere");
        refused(verifyFull(), "the server's certificate is for db.example.com, jdbc.url says localhost");
        reload("good");
        assertThat(TimeZoneTest.zone(settings("postgres", verifyFull()))).isEqualTo("UTC zone");
    }

    @Test
    void aClientCertificateIsALogin() throws SQLException {
        String with = verifyFull() + "&sslcert=" + directory.resolve("client.crt") + "&sslkey="
                + directory.resolve("client.pk8");
        assertThat(TimeZoneTest.zone(settings("client", with))).isEqualTo("UTC zone");
        assertThatThrownBy(() -> TimeZoneTest.zone(settings("client", verifyFull())))
                .hasMessageContaining(" as client: ")
                .hasMessageContaining("sslcert and sslkey in jdbc.url");
    }
}
