package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.PostgresDataSource;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SqlErrors;
import dev.shelfmark.jdbc.connection.StatementPooling;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.StoreAdministration;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.ConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Getting a connection, not getting one, and giving it up. */
@Timeout(60)
final class ConnectingTest {

    private static final String SECRET = "hunter2-secret";

    private final TestDatabase database = TestServer.shared().database();

    private static String everythingSaid(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private long connections() {
        return Long.parseLong(database.query("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and application_name = 'shelfmark-test'")
                .get(0));
    }

    private static Set<Thread> poolThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("shelfmark-jdbc-pool"))
                .collect(Collectors.toSet());
    }

    @Test
    void openingConnectsNobody() {
        try (CatalogueStore store = database.store()) {
            assertThat(connections()).isZero();
            store.verify();
            assertThat(connections()).isEqualTo(1);
        }
        await().until(() -> connections() == 0);
    }

    @Test
    void closingLeavesNothingBehind() {
        Set<Thread> ofOtherTests = poolThreads();
        CatalogueStore store = database.store();
        store.verify();
        Set<Thread> own = poolThreads();
        own.removeAll(ofOtherTests);
        assertThat(own).isNotEmpty();
        store.close();
        store.close();
        await().until(() -> own.stream().noneMatch(Thread::isAlive));
        assertThatThrownBy(store::verify)
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> Fixtures.commit(store, Fixtures.partition(), 0))
                .isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void theServerKnowsOurNameAndLimits() {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.STATEMENT_TIMEOUT, "1234", JdbcStoreConfig.LOCK_TIMEOUT, "567")) {
            Fixtures.commit(store, Fixtures.partition(), 0, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 1));
            assertThat(connections()).isEqualTo(1);
        }
        assertThat(serverSettings(JdbcStoreConfig.STATEMENT_TIMEOUT, "1234", JdbcStoreConfig.LOCK_TIMEOUT, "567"))
                .isEqualTo("named 1234ms 567ms 1min force_generic_plan off off");
    }

    @Test
    void withoutLimitsTheServerIsToldNothingThatAPoolerMightRefuse() {
        assertThat(serverSettings(
                        JdbcStoreConfig.STATEMENT_TIMEOUT,
                        "0",
                        JdbcStoreConfig.LOCK_TIMEOUT,
                        "0",
                        JdbcStoreConfig.IDLE_IN_TRANSACTION_TIMEOUT,
                        "0"))
                .isEqualTo("named 0 0 0 auto on on");
    }

    private String serverSettings(String... settings) {
        PostgresDataSource dataSource = new PostgresDataSource(
                JdbcStoreConfig.of(new JdbcStoreProvider().configDef().parse(database.settings("broker", settings))),
                "named");
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("""
                        select concat_ws(' ', current_setting('application_name'), current_setting('statement_timeout'),
                          current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'),
                          current_setting('plan_cache_mode'), current_setting('enable_seqscan'), current_setting('jit'))
                        """)) {
            row.next();
            return row.getString(1);
        } catch (java.sql.SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoGivesNoPasswordIsToldToGiveOne() {
        Map<String, String> settings = database.settings("broker");
        settings.remove(JdbcStoreConfig.PASSWORD);
        try (CatalogueStore store =
                new JdbcStoreProvider().open(TestDatabase.context(settings, Duration.ofDays(7), StoreListener.NONE))) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("cannot connect to PostgreSQL at localhost:"
                            + database.server().port() + "/" + database.name() + " as broker: ")
                    .hasMessageEndingWith(
                            "no password was given: set jdbc.password or jdbc.password.file; for the shelfmark"
                                    + " command, SHELFMARK_PASSWORD or --password-file");
        }
    }

    @Test
    void whoWantsEncryptionThatTheServerLacksIsToldWhereItIsSet() {
        Map<String, String> settings = database.settings("broker");
        settings.merge(JdbcStoreConfig.URL, "?sslmode=require", String::concat);
        try (CatalogueStore store =
                new JdbcStoreProvider().open(TestDatabase.context(settings, Duration.ofDays(7), StoreListener.NONE))) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("sslmode in jdbc.url")
                    .message()
                    .doesNotContain("jdbc.pool.max.size");
        }
    }

    @Test
    void aWrongPasswordIsRefusedAndNeverSaid() {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.PASSWORD, SECRET, JdbcStoreConfig.POOL_WAIT, "1000")) {
            Throwable failure = catchThrowable(store::verify);
            assertThat(failure)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("password authentication failed")
                    .hasMessageContaining("28P01")
                    .hasMessageContaining("jdbc.password");
            assertThat(everythingSaid(failure)).doesNotContain(SECRET);
        }
    }

    @Test
    void aMissingDatabaseIsRefused() {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.URL, database.url() + "_not", JdbcStoreConfig.POOL_WAIT, "1000")) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("3D000");
        }
    }

    private static String nobodysUrl() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return "jdbc:postgresql://localhost:" + socket.getLocalPort() + "/none";
        }
    }

    @Test
    void aServerThatIsNotThereIsUnavailableForAdministration() throws IOException {
        try (StoreAdministration administration = database.administration(JdbcStoreConfig.URL, nobodysUrl())) {
            assertThatThrownBy(administration::migrate)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageStartingWith("cannot connect to PostgreSQL at localhost:")
                    .hasMessageContaining("/none as owner: connection refused")
                    .hasMessageContaining("jdbc.url");
            assertThatThrownBy(administration::schema)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageStartingWith("cannot connect to PostgreSQL at localhost:");
            assertThatThrownBy(administration::clusters).isInstanceOf(StoreException.Unavailable.class);
        }
    }

    @Test
    void aHostThatNobodyKnowsIsNamed() {
        try (StoreAdministration administration =
                database.administration(JdbcStoreConfig.URL, "jdbc:postgresql://nowhere.invalid/none")) {
            assertThatThrownBy(administration::clusters)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("The host nowhere.invalid");
        }
    }

    @Test
    void aServerThatIsNotThereIsUnavailableForReadsAndCommits() throws IOException {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.URL, nobodysUrl(), JdbcStoreConfig.POOL_WAIT, "500")) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("refused")
                    .hasMessageContaining("jdbc.url");
            assertThatThrownBy(() -> Fixtures.commit(store, Fixtures.partition(), 0))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("cannot connect");
        }
    }

    @Test
    void aServerThatNeverAnswersIsUnavailable() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                CatalogueStore store = database.store(
                        JdbcStoreConfig.URL,
                        "jdbc:postgresql://localhost:" + mute.getLocalPort() + "/none",
                        JdbcStoreConfig.POOL_WAIT,
                        "500",
                        JdbcStoreConfig.LOGIN_TIMEOUT,
                        "1000")) {
            long start = System.nanoTime();
            assertThatThrownBy(store::verify).isInstanceOf(StoreException.Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        }
    }

    /** A pooler's answer to a client that it refuses, after whatever encryption was asked for. */
    private static void refuse(ServerSocket pooler, String message) {
        int encryptionRequests = 80877103;
        while (!pooler.isClosed()) {
            try (Socket client = pooler.accept()) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                int length = in.readInt();
                while (in.readInt() >= encryptionRequests) {
                    out.writeByte('N');
                    length = in.readInt();
                }
                in.readNBytes(length - 2 * Integer.BYTES);
                byte[] fields = ("SFATAL\0VFATAL\0C08P01\0M" + message + "\0\0").getBytes(StandardCharsets.US_ASCII);
                out.writeByte('E');
                out.writeInt(Integer.BYTES + fields.length);
                out.write(fields);
            } catch (IOException e) {
                // The client left, or the test ended.
            }
        }
    }

    @Test
    void aPoolerThatTakesNoOptionsIsToldWithWhatToDo() throws IOException {
        try (ServerSocket pooler = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread refusing =
                    new Thread(() -> refuse(pooler, "unsupported startup parameter in options: plan_cache_mode"));
            refusing.setDaemon(true);
            refusing.start();
            String url = "jdbc:postgresql://localhost:" + pooler.getLocalPort() + "/none";
            try (CatalogueStore store = database.store(JdbcStoreConfig.URL, url, JdbcStoreConfig.POOL_WAIT, "1000")) {
                assertThatThrownBy(store::verify)
                        .isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("unsupported startup parameter in options")
                        .hasMessageStartingWith("cannot connect to PostgreSQL at localhost:")
                        .hasMessageContaining(JdbcStoreConfig.STATEMENT_TIMEOUT)
                        .hasMessageContaining("to 0");
            }
        }
    }

    @Test
    void aPoolerThatMixesUpPreparedStatementsIsRefused() throws IOException {
        try (PassingPooler pooler = new PassingPooler(database.server().port())) {
            try (CatalogueStore store = database.store(
                    JdbcStoreConfig.URL, pooler.url(database.name()), JdbcStoreConfig.POOL_WAIT, "1000")) {
                assertThatThrownBy(store::verify)
                        .isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("could be given another one's answer")
                        .hasMessageContaining("max_prepared_statements")
                        .hasMessageEndingWith("prepareThreshold=0 to jdbc.url");
            }
            try (CatalogueStore store =
                    database.store(JdbcStoreConfig.URL, pooler.url(database.name()) + "?prepareThreshold=0")) {
                store.verify();
            }
        }
    }

    @Test
    void anotherClientsPreparedStatementIsSeenForWhatItIs() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("prepare \"S_1\" as select 1");
            Throwable refusal = catchThrowable(() -> StatementPooling.refuseUnlessSafe(connection));
            assertThat(SqlErrors.translate(Request.read("verify", ""), new ConnectionException((SQLException) refusal)))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("could be given another one's answer")
                    .hasMessageEndingWith("nothing was sent");
        }
    }

    @Test
    void aReadOnlyDatabaseIsNotTakenForAPrimary() {
        database.execute("alter database " + database.name() + " set default_transaction_read_only = on");
        try (CatalogueStore store = database.store(JdbcStoreConfig.POOL_WAIT, "1000")) {
            assertThatThrownBy(store::verify).isInstanceOf(StoreException.Unavailable.class);
            assertThatThrownBy(() -> store.read(Fixtures.partition(), new Selection.HeadOnly(), unused -> {}))
                    .isInstanceOf(StoreException.Unavailable.class);
        }
    }

    @Test
    void noSecretInWhatIsPrinted() {
        StoreContext context = TestDatabase.context(
                database.settings("broker", JdbcStoreConfig.PASSWORD, SECRET, JdbcStoreConfig.SSL_PASSWORD, SECRET),
                Duration.ZERO,
                StoreListener.NONE);
        assertThat(context.toString()).doesNotContain(SECRET);
        assertThat(context.config().toString()).doesNotContain(SECRET);
        assertThat(JdbcStoreConfig.of(context.config()).toString()).doesNotContain(SECRET);
    }
}
