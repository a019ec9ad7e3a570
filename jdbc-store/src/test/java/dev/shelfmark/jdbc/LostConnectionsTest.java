package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that ends the sessions of a busy pool: one line of ours in the log, none of the pool's. */
@Timeout(60)
final class LostConnectionsTest {

    private static final int THREADS = 6;

    private final TestDatabase database = TestServer.shared().database();

    private void terminateAll() {
        database.query("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and application_name = 'shelfmark-test'");
        await().until(() -> connections() == 0);
    }

    private long connections() {
        return Long.parseLong(database.query("select count(*) from pg_stat_activity"
                        + " where datname = current_database() and application_name = 'shelfmark-test'")
                .get(0));
    }

    /** Opens as many connections as there are threads. */
    private static void fill(CatalogueStore store, ExecutorService threads) throws Exception {
        CountDownLatch together = new CountDownLatch(THREADS);
        List<Future<?>> reads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            reads.add(threads.submit(() -> {
                Fixtures.commit(store, Fixtures.partition(), 1);
                together.countDown();
                assertThat(together.await(10, TimeUnit.SECONDS)).isTrue();
                return Fixtures.commit(store, Fixtures.partition(), 1);
            }));
        }
        for (Future<?> read : reads) {
            // One that was cut may fail; whoever hangs fails the test.
            assertThat(catchThrowable(() -> read.get(20, TimeUnit.SECONDS)) instanceof TimeoutException)
                    .isFalse();
        }
    }

    @Test
    void terminatedSessionsAreOneLineInTheLog() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (CapturedLog log = new CapturedLog();
                CatalogueStore store = database.store()) {
            for (int round = 0; round < 3; round++) {
                fill(store, threads);
                terminateAll();
            }
            fill(store, threads);
            store.verify();
            assertThat(log.lines("com.zaxxer.hikari")).isEmpty();
            assertThat(log.lines("lost a connection to PostgreSQL at localhost:"))
                    .hasSize(1);
            assertThat(log.text()).doesNotContain("maxLifetime");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void connectionsThatDiedIdleAreReplacedUnseen() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (CapturedLog log = new CapturedLog();
                CatalogueStore store = database.store()) {
            fill(store, threads);
            terminateAll();
            // The pool trusts a connection for half a second after its last use.
            long since = System.nanoTime();
            await().until(() -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(700));
            store.verify();
            store.read(Fixtures.partition(), new Selection.HeadOnly(), unused -> {});
            assertThat(log.lines("com.zaxxer.hikari")).isEmpty();
            assertThat(log.lines("lost a connection")).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aPoolThatStaysEmptyKeepsItsTimeLimitOnceItConnects() throws Exception {
        try (CatalogueStore store = database.store(JdbcStoreConfig.POOL_WAIT, "1000")) {
            database.server().execute("alter database " + database.name() + " with allow_connections false");
            assertThat(catchThrowable(store::verify)).hasMessageContaining("cannot connect");
            database.server().execute("alter database " + database.name() + " with allow_connections true");
            store.verify();
        }
    }
}
