package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SqlErrors;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** What a failed request leaves behind, and that the store says so: nothing, or nobody knows. */
@Timeout(60)
final class OutcomeTest {

    private final TestDatabase database = TestServer.shared().database();
    private final PartitionKey key = Fixtures.partition();

    @BeforeEach
    void aPartition() {
        try (CatalogueStore store = database.store()) {
            Fixtures.commit(store, key, 0);
        }
    }

    private long version() {
        return Long.parseLong(
                database.query("select version from shelfmark.topic_partition").get(0));
    }

    /** Runs while another session holds the partition's row. */
    private void whileLocked(ThrowingCallable work) throws Throwable {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from shelfmark.topic_partition for update");
            work.call();
            other.rollback();
        }
    }

    private void awaitBlocked() {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !database.query(
                                "select pid from pg_stat_activity where application_name = 'shelfmark-test'"
                                        + " and wait_event_type = 'Lock' and datname = current_database()")
                        .isEmpty());
    }

    private void terminate() {
        database.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where application_name = 'shelfmark-test' and datname = current_database()");
    }

    private CatalogueStore through(CuttingProxy proxy, String... more) {
        String[] settings = new String[more.length + 2];
        System.arraycopy(more, 0, settings, 0, more.length);
        settings[more.length] = JdbcStoreConfig.URL;
        settings[more.length + 1] = "jdbc:postgresql://localhost:" + proxy.port() + "/" + database.name();
        return database.store(settings);
    }

    @Test
    void aStatementThatRunsTooLongChangesNothing() throws Throwable {
        try (CatalogueStore store = database.store(JdbcStoreConfig.STATEMENT_TIMEOUT, "300")) {
            whileLocked(() -> assertThatThrownBy(() -> Fixtures.commit(store, key, 1))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("57014")
                    .hasMessageContaining("jdbc.statement.timeout.ms")
                    .hasMessageContaining(key.toString()));
            assertThat(version()).isEqualTo(1);
            assertThat(Fixtures.commit(store, key, 1)).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void aLockThatIsHeldTooLongChangesNothing() throws Throwable {
        try (CatalogueStore store = database.store(JdbcStoreConfig.LOCK_TIMEOUT, "300")) {
            whileLocked(() -> assertThatThrownBy(() -> Fixtures.commit(store, key, 1))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("55P03")
                    .hasMessageContaining("jdbc.lock.timeout.ms"));
            assertThat(version()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatEndsTheSessionLeavesTheOutcomeUnknown() throws Throwable {
        try (CatalogueStore store = database.store()) {
            whileLocked(() -> {
                CompletableFuture<Throwable> failure =
                        CompletableFuture.supplyAsync(() -> catchThrowable(() -> Fixtures.commit(store, key, 1)));
                awaitBlocked();
                terminate();
                assertThat(failure.join()).isInstanceOf(StoreException.OutcomeUnknown.class);
            });
            await().untilAsserted(
                            () -> assertThat(Fixtures.commit(store, key, 1)).isEqualTo(new CommitResult.Committed()));
        }
    }

    @Test
    void aReadWhoseSessionEndsIsMerelyUnavailable() throws Throwable {
        try (CatalogueStore store = database.store();
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table shelfmark.topic_partition");
            CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> store.read(key, new Selection.HeadOnly(), unused -> {})));
            awaitBlocked();
            terminate();
            assertThat(failure.join()).isInstanceOf(StoreException.Unavailable.class);
        }
    }

    @Test
    void aConnectionLostBeforeTheAnswerLeavesAnAppliedCommitUnknown() {
        try (CuttingProxy proxy = new CuttingProxy(database.server().port());
                CatalogueStore store = through(proxy)) {
            store.verify();
            proxy.mode(CuttingProxy.Mode.CUT_AT_ANSWER);
            assertThatThrownBy(() -> Fixtures.commit(store, key, 1)).isInstanceOf(StoreException.OutcomeUnknown.class);
            await().untilAsserted(() -> assertThat(version()).isEqualTo(2));
            proxy.mode(CuttingProxy.Mode.PASS);
            assertThat(Fixtures.commit(store, key, 1)).isEqualTo(new CommitResult.VersionConflict());
        }
    }

    @Test
    void aConnectionLostBeforeTheRequestLeavesACommitUnknownToo() {
        try (CuttingProxy proxy = new CuttingProxy(database.server().port());
                CatalogueStore store = through(proxy)) {
            store.verify();
            proxy.mode(CuttingProxy.Mode.CUT_AT_REQUEST);
            assertThatThrownBy(() -> Fixtures.commit(store, key, 1)).isInstanceOf(StoreException.OutcomeUnknown.class);
            proxy.mode(CuttingProxy.Mode.PASS);
            assertThat(version()).isEqualTo(1);
            assertThat(Fixtures.commit(store, key, 1)).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void aSilentServerIsGivenUp() {
        try (CuttingProxy proxy = new CuttingProxy(database.server().port());
                CatalogueStore store = through(
                        proxy,
                        JdbcStoreConfig.SOCKET_TIMEOUT,
                        "1000",
                        JdbcStoreConfig.STATEMENT_TIMEOUT,
                        "900",
                        JdbcStoreConfig.POOL_WAIT,
                        "1000")) {
            store.verify();
            proxy.mode(CuttingProxy.Mode.SILENT);
            long start = System.nanoTime();
            assertThatThrownBy(() -> Fixtures.commit(store, key, 1)).isInstanceOf(StoreException.OutcomeUnknown.class);
            assertThatThrownBy(() -> store.read(key, new Selection.HeadOnly(), unused -> {}))
                    .isInstanceOf(StoreException.Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aDeadlockIsTriedAgain() throws Exception {
        RecordingListener listener = new RecordingListener();
        SegmentRecord segment = Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2);
        try (CatalogueStore store = database.store(Duration.ZERO, listener);
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            Fixtures.commit(store, key, 1, segment);
            other.setAutoCommit(false);
            statement.execute("set deadlock_timeout = '1h'");
            statement.execute("select from shelfmark.segment for update");
            CompletableFuture<CommitResult> commit = CompletableFuture.supplyAsync(() ->
                    Fixtures.commit(store, key, 2, Fixtures.with(segment, SegmentState.COPY_SEGMENT_FINISHED, 3)));
            awaitBlocked();
            statement.execute("select from shelfmark.topic_partition for update");
            await().until(() -> !listener.retries.isEmpty());
            other.rollback();
            assertThat(commit.join()).isEqualTo(new CommitResult.Committed());
            assertThat(listener.retries).containsExactly("commit 40P01");
            assertThat(version()).isEqualTo(3);
        }
    }

    @Test
    void withoutAFreeConnectionNothingIsSent() throws Throwable {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.POOL_MAX_SIZE, "1", JdbcStoreConfig.POOL_WAIT, "3000")) {
            whileLocked(() -> {
                CompletableFuture<CommitResult> first =
                        CompletableFuture.supplyAsync(() -> Fixtures.commit(store, key, 1));
                awaitBlocked();
                assertThatThrownBy(() -> Fixtures.commit(store, Fixtures.partition(), 0))
                        .isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("jdbc.pool.max.size");
                assertThat(first).isNotDone();
            });
        }
        assertThat(database.query("select count(*) from shelfmark.topic_partition"))
                .containsExactly("1");
    }

    @Test
    void anInterruptedThreadStaysInterrupted() throws Throwable {
        try (CatalogueStore store = database.store(JdbcStoreConfig.POOL_MAX_SIZE, "1")) {
            whileLocked(() -> {
                CompletableFuture<CommitResult> first =
                        CompletableFuture.supplyAsync(() -> Fixtures.commit(store, key, 1));
                awaitBlocked();
                Thread.currentThread().interrupt();
                Throwable failure = catchThrowable(() -> store.read(key, new Selection.HeadOnly(), unused -> {}));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(failure).isInstanceOf(StoreException.Unavailable.class);
                assertThat(first).isNotDone();
            });
        }
    }

    @Test
    void aReadOnlyServerChangesNothing() throws SQLException {
        try (CatalogueStore store = database.store()) {
            store.verify();
            try {
                readOnly("on");
                assertThatThrownBy(() -> Fixtures.commit(store, key, 1))
                        .isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("25006")
                        .hasMessageContaining("must lead to the primary");
                assertThatThrownBy(store::verify)
                        .isInstanceOf(StoreException.Unavailable.class)
                        .hasMessageContaining("primary")
                        .hasMessageContaining("takes changes");
            } finally {
                readOnly("off");
            }
            assertThat(version()).isEqualTo(1);
        }
    }

    private void readOnly(String value) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set transaction_read_only = off");
            statement.execute("alter system set default_transaction_read_only = " + value);
            statement.execute("select pg_reload_conf()");
        }
        await().until(() -> database.query("show default_transaction_read_only").equals(List.of(value)));
    }

    @Test
    void whatPostgresCanNotHoldIsRefused() {
        try (CatalogueStore store = database.store()) {
            PartitionKey endless = new PartitionKey(
                    new java.util.Random(1)
                            .ints(10_000, 'a', 'z')
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString(),
                    key.topicId(),
                    0);
            assertThatThrownBy(() -> Fixtures.commit(store, endless, 0)).isInstanceOf(StoreException.Unsupported.class);
            PartitionKey zero = new PartitionKey("a\0b", key.topicId(), 0);
            assertThatThrownBy(() -> Fixtures.commit(store, zero, 0)).isInstanceOf(StoreException.Unsupported.class);
        }
    }

    @Test
    void whatIsNotUnderstoodIsNotGuessedAt() {
        try (CatalogueStore store = database.store()) {
            Fixtures.commit(store, key, 1, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2));
            for (String damage : List.of(
                    "update shelfmark.segment set state = 9",
                    "update shelfmark.segment set state = 1, leader_epochs = '{1,2}'",
                    "update shelfmark.segment set leader_epochs = '{1}', end_offset = -5",
                    "update shelfmark.segment set end_offset = 99, leader_epochs = '{1,null}', epoch_start_offsets = '{0,5}'",
                    "update shelfmark.segment set leader_epochs = '{1,2}', epoch_start_offsets = '{0,null}'",
                    "update shelfmark.segment set leader_epochs = '{{1,2},{3,4}}', epoch_start_offsets = '{0,5}'",
                    "update shelfmark.topic_partition set deletion = 7")) {
                database.execute(damage);
                assertThatThrownBy(() -> Fixtures.read(store, key, new Selection.All()))
                        .as(damage)
                        .isInstanceOf(StoreException.Corrupt.class);
            }
        }
    }

    @Test
    void whatIsNotUnderstoodEndsNoListing() {
        try (CatalogueStore store = database.store();
                CatalogueListing listing = database.listing("auditor")) {
            Fixtures.commit(
                    store,
                    key,
                    1,
                    Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2),
                    Fixtures.segment(100, SegmentState.COPY_SEGMENT_STARTED, 2));
            for (String damage : List.of(
                    "state = 9",
                    "state = 1, leader_epochs = '{1,null}', epoch_start_offsets = '{0,5}'",
                    "leader_epochs = '{{1,2},{3,4}}'")) {
                database.execute("update shelfmark.segment set " + damage + " where start_offset = 0");
                assertThat(listing.segments(key, CatalogueListing.Kept.LIVE, null, 10)
                                .items())
                        .as(damage)
                        .hasSize(2)
                        .hasAtLeastOneElementOfType(CatalogueListing.Unreadable.class)
                        .hasAtLeastOneElementOfType(CatalogueListing.Found.class);
            }
        }
    }

    /** The driver has codes of its own for what befalls it while an answer comes, and they are those of the server. */
    @Test
    void whatTheDriverMissesOfAnAnswerLeavesAChangeUnknown() {
        SQLException missed = new PSQLException("Ran out of memory retrieving query results.", PSQLState.OUT_OF_MEMORY);
        assertThat(SqlErrors.translate(Request.change("commit", key), missed))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(SqlErrors.translate(Request.read("read.all", key), missed))
                .isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aConsumersOwnFailureIsItsOwn() {
        try (CatalogueStore store = database.store()) {
            Fixtures.commit(store, key, 1, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2));
            for (Selection selection : List.of(new Selection.All(), new Selection.ChangedSince(0))) {
                assertThatThrownBy(() -> store.read(key, selection, segment -> {
                            throw new CompletionException("mine", null);
                        }))
                        .isInstanceOf(CompletionException.class)
                        .hasMessage("mine");
            }
            assertThat(Fixtures.read(store, key, new Selection.All())).hasSize(1);
        }
    }

    @Test
    void everyRequestIsToldWithItsRows() {
        RecordingListener listener = new RecordingListener();
        try (CatalogueStore store = database.store(Duration.ofDays(1), listener)) {
            Fixtures.commit(store, key, 1, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2));
            store.read(key, new Selection.All(), unused -> {});
            store.read(key, new Selection.ChangedSince(2), unused -> {});
            store.cluster("nobody");
            store.purgeDeleted("nobody", 1);
            assertThatThrownBy(() ->
                            store.read(new PartitionKey("\0", key.topicId(), 0), new Selection.All(), unused -> {}))
                    .isInstanceOf(StoreException.class);
        }
        assertThat(listener.requests)
                .containsExactly("commit 2", "read.all 2", "read.changes 1", "cluster 0", "purge 0", "read.all 0");
    }
}
