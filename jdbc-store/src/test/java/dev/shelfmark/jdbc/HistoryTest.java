package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueListing;
import dev.shelfmark.store.CatalogueListing.Unreadable;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What only PostgreSQL's history has: schemas of two versions, rights, rows that somebody holds. */
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
        return database.query("select version from shelfmark.state_change order by version");
    }

    /** Lets the time of all that is kept be over. */
    private void age() {
        database.execute("update shelfmark.state_change set expires_at = now() - interval '1 second'");
    }

    private void backToTheVersionWithoutHistory() {
        database.execute("""
                drop view shelfmark_audit.history;
                drop table shelfmark.state_change;
                drop function shelfmark.deletion_state;
                alter table shelfmark.segment
                  add constraint segment_partition_id_fkey foreign key (partition_id) references shelfmark.topic_partition;
                delete from shelfmark.schema_history where version in ('5', '6');
                """);
    }

    @Test
    void aSchemaWithoutHistoryTakesCommitsAndKeepsAHistoryOnceItIsMigrated() {
        backToTheVersionWithoutHistory();
        try (CatalogueStore store = database.store()) {
            store.verify();
            change(store, key, 0, 1);
            assertThat(store.purgeHistory(10)).isZero();
            change(store, key, 1, 1);

            assertThat(database.migrate()).contains("schema version 5: history", "rights of a broker: broker");
            change(store, key, 2, 1);
            assertThat(store.purgeHistory(10)).isZero();
            change(store, key, 3, 1);
            assertThat(kept()).containsExactly("4");
        }
    }

    @Test
    void aMigratedSchemaWhoseRightsAreNotGrantedStopsNoBrokerThatRuns() {
        backToTheVersionWithoutHistory();
        try (CatalogueStore store = database.store()) {
            store.verify();
            database.administration().migrate();
            assertThatThrownBy(() -> store.purgeHistory(10))
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("broker lacks delete on state_change, insert on state_change")
                    .hasMessageContaining("jdbc.grant.broker");
            change(store, key, 0, 1);
            assertThat(kept()).isEmpty();
            assertThatThrownBy(store::verify).isInstanceOf(StoreException.AccessDenied.class);
        }
    }

    @Test
    void aBrokerCanAddAndRemoveButNotRewriteTheHistory() throws SQLException {
        try (CatalogueStore store = database.store()) {
            change(store, key, 0, 1);
        }
        try (Connection broker = java.sql.DriverManager.getConnection(database.url(), "broker", "broker");
                Statement statement = broker.createStatement()) {
            assertThatThrownBy(() -> statement.execute("update shelfmark.state_change set to_state = 3"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void aRowThatSomeoneElseHoldsIsPassedOver() throws SQLException {
        try (CatalogueStore store = database.store()) {
            change(store, key, 0, 3);
            age();
            try (Connection other = database.connect();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("select from shelfmark.state_change limit 1 for update");
                assertThat(store.purgeHistory(10)).isEqualTo(2);
                other.rollback();
            }
            assertThat(store.purgeHistory(10)).isEqualTo(1);
        }
    }

    @Test
    void manyAtOnceShareTheWork() {
        try (CatalogueStore store = database.store()) {
            change(store, key, 0, 400);
            age();
            int purged = IntStream.range(0, 8)
                    .parallel()
                    .map(i -> store.purgeHistory(100))
                    .sum();
            assertThat(purged + kept().size()).isEqualTo(400);
            assertThat(purged).isGreaterThanOrEqualTo(100);
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

    @Test
    void aStateOfANewerBuildIsNamedAndEndsNothing() {
        try (CatalogueStore store = database.store();
                CatalogueListing listing = database.listing("auditor")) {
            change(store, key, 0, 3);
            database.execute("update shelfmark.state_change set to_state = 9 where version = 2");
            assertThat(listing.history(key, null, 10).items())
                    .hasSize(3)
                    .element(1)
                    .isEqualTo(new Unreadable<>("2", "no segment state has the number 9"));
        }
    }

    @Test
    void anAuditorIsToldToMigrateASchemaWithoutAHistory() {
        backToTheVersionWithoutHistory();
        try (CatalogueListing listing = database.listing("auditor")) {
            assertThatThrownBy(() -> listing.history(key, null, 10))
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("shelfmark migrate");
        }
    }
}
