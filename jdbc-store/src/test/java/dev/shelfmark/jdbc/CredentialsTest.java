package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.credentials.CredentialsProvider;
import dev.shelfmark.jdbc.credentials.Login;
import dev.shelfmark.jdbc.credentials.LoginSettings;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where passwords come from, and that they are asked for with each connection. */
@Timeout(60)
final class CredentialsTest {

    private static final String SECRET = "hunter2-secret";

    private final TestDatabase database = TestServer.shared().database();

    @TempDir
    Path directory;

    private CatalogueStore store(String role, String... more) {
        Map<String, String> settings = database.settings(role, more);
        settings.remove(JdbcStoreConfig.PASSWORD);
        return new JdbcStoreProvider().open(TestDatabase.context(settings, Duration.ZERO, StoreListener.NONE));
    }

    private void endSessions(String role) {
        database.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '" + role + "'");
    }

    @Test
    void aRotatedPasswordFileNeedsNoRestart() throws IOException {
        String role = "rotating_" + database.name();
        database.execute("create role " + role + " login password 'first' in role broker");
        Path file = Files.writeString(directory.resolve("password"), "first\n");
        try (CatalogueStore store = store(role, LoginSettings.PASSWORD_FILE, file.toString())) {
            store.verify();
            database.execute("alter role " + role + " password 'second'");
            Files.writeString(file, "second\n");
            endSessions(role);
            assertThat(catchUntilConnected(store)).isTrue();
        }
    }

    /** A connection that was cut fails once where it was used just now. */
    private static boolean catchUntilConnected(CatalogueStore store) {
        try {
            store.verify();
        } catch (StoreException.Unavailable e) {
            store.verify();
        }
        return true;
    }

    @Test
    void aPasswordFileThatIsMissingIsNamed() {
        Path missing = directory.resolve("missing");
        try (CatalogueStore store =
                store("broker", LoginSettings.PASSWORD_FILE, missing.toString(), JdbcStoreConfig.POOL_WAIT, "500")) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining(" as broker: ")
                    .hasMessageContaining("jdbc.password.file=" + missing + " does not exist");
        }
    }

    @Test
    void aProviderThatIsNamedIsAskedForEachConnection() {
        try (CatalogueStore store = store(
                "nobody",
                LoginSettings.PROVIDER_CLASS,
                Counting.class.getName(),
                LoginSettings.PROVIDER_CONFIG,
                "broker")) {
            store.verify();
            endSessions("broker");
            catchUntilConnected(store);
        }
        assertThat(database.query("select count(*) from pg_stat_activity where usename = 'nobody'"))
                .containsExactly("0");
    }

    @Test
    void aProviderThatCannotBeMadeIsRefusedWithTheReason() {
        assertThatThrownBy(() -> store("broker", LoginSettings.PROVIDER_CLASS, "com.example.None"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no such class in the plugin's directory");
        assertThatThrownBy(() -> store("broker", LoginSettings.PROVIDER_CLASS, "java.lang.Object"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("does not implement " + CredentialsProvider.class.getName());
        assertThatThrownBy(() -> store(
                        "broker",
                        LoginSettings.PROVIDER_CLASS,
                        Counting.class.getName(),
                        LoginSettings.PASSWORD_FILE,
                        "/x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("not both");
    }

    @Test
    void noPasswordInALoginsText() {
        assertThat(new Login("broker", SECRET).toString())
                .doesNotContain(SECRET)
                .contains("broker");
    }

    /** Gives a role its name as password, and each connection a login of its own. */
    public static final class Counting implements CredentialsProvider {

        private String role = "";

        @Override
        public void configure(String text) {
            role = text;
        }

        @Override
        public Login login(Address address) {
            assertThat(address.host()).isEqualTo("localhost");
            assertThat(address.user()).isEqualTo("nobody");
            return new Login(role, role);
        }
    }
}
