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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        openssl("req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=authority -keyout ca.key -out ca.pem");
        openssl("req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=stranger -keyout other.key -out other.pem");
        certificate("good", "localhost", "-days 30");
        certificate("expired", "localhost", "-days -2");
        certificate("elsewhere", "db.example.com", "-days 30");
        certificate("client", "client", "-days 30");
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

    private static void openssl(String arguments) throws Exception {
        List<String> command = new java.util.ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments.split(" ")));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static void certificate(String file, String name, String days) throws Exception {
        Files.writeString(directory.resolve(file + ".ext"), "subjectAltName=DNS:" + name + "\n");
        openssl("req -newkey rsa:2048 -nodes -subj /CN=" + name + " -keyout " + file + ".key -out " + file + ".csr");
        openssl("x509 -req -in " + file + ".csr -CA ca.pem -CAkey ca.key -CAcreateserial " + days + " -extfile " + file
                + ".ext -out " + file + ".crt");
        openssl("pkcs8 -topk8 -nocrypt -inform PEM -outform DER -in " + file + ".key -out " + file + ".pk8");
    }

    private static void use(String certificate) throws IOException {
        Files.write(directory.resolve("server.crt"), Files.readAllBytes(directory.resolve(certificate + ".crt")));
        Path key = directory.resolve("server.key");
        Files.write(key, Files.readAllBytes(directory.resolve(certificate + ".key")));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        // The server refuses to run as root, so that embedded PostgreSQL runs as somebody else then.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setOwner(
                    key, key.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
        }
    }

    private static void reload(String certificate) throws Exception {
        use(certificate);
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_reload_conf()");
            org.awaitility.Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
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
