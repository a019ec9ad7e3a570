package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.atIndex;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What only PostgreSQL's history has: rights, rows of several changes, rows that somebody holds. */
final class HistoryTest {

    private final TestDatabase database = TestServer.shared().database();
    private final PartitionKey key = Fixtures.partition();

    private static void change(CatalogueStore store, PartitionKey key, long expected, int changes) {
        List<StateChange> steps = LongStream.rangeClosed(expected + 1, expected + changes)
                .<StateChange>mapToObj(version -> new StateChange.OfSegment(
                        version, UUID.randomUUID(), null, dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED, 1, 2))
                .toList();
        assertThat(store.commit(
                        key, new PartitionCommit(expected, Fixtures.head(expected + changes), List.of(), steps)))
                .isEqualTo(new CommitResult.Committed());
    }

    private List<String> kept() {
        return database.query("""
                select version from shelfmark.state_change
                union all
                select unnest(versions) from shelfmark.state_change_group
                order by 1
                """);
    }

    private int groups() {
        return database.query("select version from shelfmark.state_change_group")
                .size();
    }

    /** Lets the time of all that is kept be over. */
    private void age() {
        for (String table : new String[] {"state_change", "state_change_group"}) {
            database.execute("update shelfmark." + table + " set expires_at = now() - interval '1 second'");
        }
    }

    @Test
    void aBrokerWithoutRightsOnTheHistoryIsRefused() {
        database.execute("revoke all on shelfmark.state_change, shelfmark.state_change_group from broker");
        try (CatalogueStore store = database.store()) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("the role broker lacks ")
                    .hasMessageContaining("delete on state_change, insert on state_change")
                    .hasMessageContaining("delete on state_change_group")
                    .hasMessageContaining("jdbc.grant.broker");
        }
    }

    @Test
    void aCommitOfSeveralLeavesOneRow() {
        try (CatalogueStore store = database.store()) {
            change(store, key, 0, 3);
            change(store, key, 3, 1);
            change(store, key, 4, 3);
            assertThat(groups()).isEqualTo(2);
        }
        List<String> all = LongStream.rangeClosed(1, 7).mapToObj(Long::toString).toList();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(database.query("select version from shelfmark_audit.history order by version"))
                .containsExactlyElementsOf(all);
        try (CatalogueListing listing = database.listing("auditor")) {
            assertThat(listing.history(key, null, 100).items()).hasSize(7);
            assertThat(listing.history(key, "5", 100).items()).hasSize(2);
        }
    }

    @Test
    void aBrokerCanAddAndRemoveButNotRewriteTheHistory() throws SQLException {
        try (CatalogueStore store = database.store()) {
            change(store, key, 0, 1);
            change(store, key, 1, 2);
        }
        try (Connection broker = java.sql.DriverManager.getConnection(database.url(), "broker", "broker");
                Statement statement = broker.createStatement()) {
            for (String update :
                    new String[] {"state_change set to_state = 3", "state_change_group set to_states = '{3, 3}'"}) {
                assertThatThrownBy(() -> statement.execute("update shelfmark." + update))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("permission denied");
            }
        }
    }

    @Test
    void theListenerIsToldOfRowsAndStatementsAsTheyAre() {
        RecordingListener listener = new RecordingListener();
        try (CatalogueStore store = database.store(Duration.ofDays(7), listener)) {
            change(store, key, 0, 1);
            change(store, key, 1, 3);
            age();
            assertThat(store.purgeHistory(10)).isEqualTo(2);
        }
        assertThat(listener.requests).containsExactly("commit 2", "commit 2", "purge.history 1", "purge.history 1");
    }

    @Test
    void whatIsOverIsShownNoMoreBeforeItIsPurged() {
        try (CatalogueStore store = database.store();
                CatalogueListing listing = database.listing("auditor")) {
            change(store, key, 0, 1);
            change(store, key, 1, 2);
            age();
            assertThat(kept()).hasSize(3);
            assertThat(listing.history(key, null, 10).items()).isEmpty();
            assertThat(database.query("select version from shelfmark_audit.history"))
                    .isEmpty();
            change(store, key, 3, 2);
            assertThat(listing.history(key, null, 10).items()).hasSize(2);
            assertThat(database.query("select version from shelfmark_audit.history order by 1"))
                    .containsExactly("4", "5");
        }
    }

    @Test
    void aRowThatSomeoneElseHoldsIsPassedOver() throws SQLException {
        try (CatalogueStore store = database.store()) {
            for (long i = 0; i < 3; i++) {
                change(store, key, 3 * i, 1);
                change(store, key, 3 * i + 1, 2);
            }
            age();
            try (Connection other = database.connect();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("select from shelfmark.state_change limit 1 for update");
                statement.execute("select from shelfmark.state_change_group limit 1 for update");
                assertThat(store.purgeHistory(3)).isEqualTo(3);
                assertThat(store.purgeHistory(3)).isEqualTo(1);
                other.rollback();
            }
            assertThat(store.purgeHistory(10)).isEqualTo(2);
            assertThat(kept()).isEmpty();
        }
    }

    @Test
    void manyAtOnceShareTheWork() {
        try (CatalogueStore store = database.store()) {
            for (long i = 0; i < 100; i++) {
                change(store, key, 3 * i, 1);
                change(store, key, 3 * i + 1, 2);
            }
            age();
            int purged = IntStream.range(0, 8)
                    .parallel()
                    .map(i -> store.purgeHistory(50))
                    .sum();
            int left = database.query("select 1 from shelfmark.state_change").size() + groups();
            assertThat(purged + left).isEqualTo(200);
            assertThat(purged).isGreaterThanOrEqualTo(50);
        }
    }

    /** As brokers write it, partition after partition, a row at a time; docs/postgresql.md has the number. */
    @Test
    void aChangeTakesAbout160BytesWithItsIndexes() {
        database.execute("""
                insert into shelfmark.state_change
                select p, v, now() + (1000 * v + p) * interval '1 millisecond',
                       now() + interval '7 days' + (1000 * v + p) * interval '1 millisecond', 0,
                       gen_random_uuid(), 1, 0, 1
                from generate_series(1, 200) v cross join generate_series(1, 1000) p
                order by v, p
                """);
        List<String> bytes = database.query(
                "select pg_total_relation_size('shelfmark.state_change') / count(*) from shelfmark.state_change");
        assertThat(Integer.parseInt(bytes.get(0))).isBetween(130, 190);
    }

    /** Likewise of commits as large as can be. */
    @Test
    void aChangeAmongManyTakesAbout50Bytes() {
        try (CatalogueStore store = database.store()) {
            for (long i = 0; i < 200; i++) {
                change(store, key, 500 * i, 500);
            }
        }
        List<String> bytes = database.query("""
                select pg_total_relation_size('shelfmark.state_change_group') / sum(cardinality(versions))
                from shelfmark.state_change_group
                """);
        assertThat(Double.parseDouble(bytes.get(0))).isBetween(40.0, 60.0);
    }

    @Test
    void aStateOfANewerBuildIsNamedAndEndsNothing() {
        try (CatalogueStore store = database.store();
                CatalogueListing listing = database.listing("auditor")) {
            change(store, key, 0, 1);
            change(store, key, 1, 3);
            database.execute("update shelfmark.state_change set to_state = 9 where version = 1");
            database.execute("update shelfmark.state_change_group set to_states[2] = 9");
            assertThat(listing.history(key, null, 10).items())
                    .hasSize(4)
                    .contains(new Unreadable<>("1", "no segment state has the number 9"), atIndex(0))
                    .contains(new Unreadable<>("3", "no segment state has the number 9"), atIndex(2));
        }
    }
}
