package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.VersionReading;
import dev.shelfmark.store.admin.CatalogueListing;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A primary that is kept from changes while another one takes its place, as switchovers do it; connections to it stay open. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FencedServerTest {

    private final TestServer before = new TestServer();
    private final TestServer after = new TestServer();
    private final TestDatabase old = before.database();
    private final TestDatabase young = after.database();
    private PartitionKey key = Fixtures.partition();

    @AfterAll
    void close() {
        before.close();
        after.close();
    }

    /** What both have. */
    @BeforeEach
    void aPartition() throws SQLException {
        fence(old, "off");
        key = Fixtures.partition();
        for (TestDatabase database : List.of(old, young)) {
            try (CatalogueStore store = database.store()) {
                Fixtures.commit(store, key, 0);
            }
        }
    }

    private static void fence(TestDatabase database, String value) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set transaction_read_only = off");
            statement.execute("alter system set default_transaction_read_only = " + value);
            statement.execute("select pg_reload_conf()");
        }
        await().until(() -> database.query("show default_transaction_read_only").equals(List.of(value)));
    }

    /** The old one takes no changes any more, and somebody else has gone on with the new one. */
    private void switchOver() throws SQLException {
        fence(old, "on");
        try (CatalogueStore elsewhere = young.store()) {
            assertThat(Fixtures.commit(elsewhere, key, 1, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 2)))
                    .isEqualTo(new CommitResult.Committed());
        }
    }

    private String url() {
        return "jdbc:postgresql://localhost:" + before.port() + ",localhost:" + after.port() + "/" + old.name();
    }

    private CatalogueStore store() {
        assertThat(young.name()).isEqualTo(old.name());
        return old.store(JdbcStoreConfig.URL, url());
    }

    /** Runs until it does not fail as unavailable; once is often enough, as each failure ends what it met. */
    private static void afterAFailureAtMost(ThrowingCallable work) throws Throwable {
        try {
            work.call();
        } catch (StoreException.Unavailable e) {
            work.call();
        }
    }

    @Test
    void noReadIsAnsweredByIt() throws Throwable {
        for (Selection selection : List.of(
                new Selection.HeadOnly(),
                new Selection.All(),
                new Selection.ChangedSince(1),
                new Selection.Holding(5))) {
            aPartition();
            try (CatalogueStore store = store()) {
                assertThat(Fixtures.read(store, key, selection)).isEmpty();
                switchOver();
                afterAFailureAtMost(() -> assertThat(
                                store.read(key, selection, unused -> {}).version())
                        .as(selection.toString())
                        .isEqualTo(2));
            }
        }
    }

    @Test
    void noVersionsAndNoListingsAreReadFromIt() throws Throwable {
        StoreContext context = TestDatabase.context(
                old.settings("auditor", JdbcStoreConfig.URL, url()), Duration.ZERO, StoreListener.NONE);
        try (CatalogueStore store = store();
                CatalogueListing listing = new JdbcStoreProvider().listing(context)) {
            VersionReading versions = (VersionReading) store;
            assertThat(versions.versions(key.clusterId(), List.of(key))).isEqualTo(Map.of(key, 1L));
            assertThat(listing.segments(key, CatalogueListing.Kept.LIVE, null, 10)
                            .items())
                    .isEmpty();
            switchOver();
            afterAFailureAtMost(() ->
                    assertThat(versions.versions(key.clusterId(), List.of(key))).isEqualTo(Map.of(key, 2L)));
            afterAFailureAtMost(() -> assertThat(listing.segments(key, CatalogueListing.Kept.LIVE, null, 10)
                            .items())
                    .hasSize(1));
        }
    }

    @Test
    void aChangeThatItRefusesIsTheLastThatItIsAskedFor() throws Throwable {
        try (CatalogueStore store = store()) {
            store.verify();
            fence(old, "on");
            assertThatThrownBy(() -> Fixtures.commit(store, key, 1))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("25006");
            assertThat(Fixtures.commit(store, key, 1)).isEqualTo(new CommitResult.Committed());
        }
        assertThat(young.query(
                        "select max(version) from shelfmark.topic_partition where topic_id = '" + key.topicId() + "'"))
                .containsExactly("2");
    }
}
