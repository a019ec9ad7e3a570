package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.schema.SchemaMigrator;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what. */
final class RightsTest {

    private final TestDatabase database = TestServer.shared().database();

    private List<String> rights(String role) {
        return rights(role, "shelfmark");
    }

    private List<String> rights(String role, String schema) {
        return database.query("""
                select table_name || ' ' || string_agg(lower(privilege_type), ' ' order by privilege_type)
                from information_schema.role_table_grants
                where grantee = '%s' and table_schema = '%s'
                group by table_name order by table_name
                """.formatted(role, schema));
    }

    @Test
    void ofABroker() {
        assertThat(rights("broker"))
                .containsExactly(
                        "broker_heartbeat insert select update",
                        "broker_progress insert select update",
                        "catalogue_id insert select",
                        "cluster select",
                        "epoch_highest_offset insert select update",
                        "schema_history select",
                        "segment delete insert select update",
                        "state_change delete insert select",
                        "state_change_group delete insert select",
                        "topic_partition insert select update");
        assertThat(database.query("select has_schema_privilege('broker', 'shelfmark', 'create')"))
                .containsExactly("f");
    }

    @Test
    void ofAnAuditor() {
        assertThat(rights("auditor"))
                .containsExactly(
                        "broker_heartbeat select",
                        "broker_progress select",
                        "catalogue_id select",
                        "cluster select",
                        "epoch_highest_offset select",
                        "import_checkpoint select",
                        "import_claim select",
                        "import_progress select",
                        "schema_history select",
                        "segment select",
                        "state_change select",
                        "state_change_group select",
                        "topic_partition select");
        assertThat(rights("auditor", "shelfmark_audit"))
                .containsExactly(
                        "anomalies select",
                        "epoch_coverage select",
                        "history select",
                        "partitions select",
                        "segments select",
                        "topics select");
        assertThat(rights("broker", "shelfmark_audit")).isEmpty();
    }

    @Test
    void aBrokerCanDoAllThatTheStoreDoes() {
        try (CatalogueStore store = database.store(Duration.ZERO, StoreListener.NONE)) {
            store.verify();
            var key = Fixtures.partition();
            Fixtures.commit(store, key, 0, Fixtures.segment(0, SegmentState.DELETE_SEGMENT_FINISHED, 1));
            store.commit(
                    key,
                    new dev.shelfmark.store.PartitionCommit(
                            1, Fixtures.head(2, java.util.Map.of(0, 1L)), List.of(), List.of()));
            assertThat(store.purgeDeleted(key.clusterId(), 10)).isEqualTo(1);
            store.purgeHistory(10);
            store.heartbeat(Fixtures.heartbeat(key.clusterId()));
            store.heartbeat(Fixtures.heartbeat(key.clusterId()));
        }
    }

    @Test
    void anAuditorReadsAndChangesNothing() {
        try (CatalogueStore store =
                database.store(JdbcStoreConfig.USER, "auditor", JdbcStoreConfig.PASSWORD, "auditor")) {
            var key = Fixtures.partition();
            store.read(key, new Selection.All(), unused -> {});
            assertThatThrownBy(() -> Fixtures.commit(store, key, 0)).isInstanceOf(StoreException.AccessDenied.class);
            assertThatThrownBy(() -> store.purgeDeleted(key.clusterId(), 1))
                    .isInstanceOf(StoreException.AccessDenied.class);
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContainingAll("auditor lacks insert on", "insert on epoch_highest_offset")
                    .hasMessageContaining("jdbc.grant.broker");
        }
    }

    @Test
    void whoDoesTheOwnersWorkIsToldToBeTheOwner() {
        for (String role : List.of("auditor", "broker")) {
            try (StoreAdministration administration =
                    database.administration(JdbcStoreConfig.USER, role, JdbcStoreConfig.PASSWORD, role)) {
                ClusterRecord cluster = new ClusterRecord(
                        Fixtures.partition().clusterId(), ClusterState.READY, 1, Instant.EPOCH, "ann", "");
                for (ThrowingCallable work : List.<ThrowingCallable>of(
                        () -> administration.putCluster(cluster),
                        () -> ((BulkLoading) administration)
                                .claimLoad(cluster.clusterId(), "ann", Duration.ofMinutes(1)))) {
                    assertThatThrownBy(work)
                            .isInstanceOf(StoreException.AccessDenied.class)
                            .hasMessageContaining("log in as the owner")
                            .message()
                            .doesNotContain("jdbc.grant");
                }
            }
        }
    }

    @Test
    void aListingNeedsNoMoreThanAnAuditorsRights() {
        var key = Fixtures.partition();
        try (CatalogueStore store = database.store()) {
            Fixtures.commit(store, key, 0, Fixtures.segment(0, SegmentState.COPY_SEGMENT_FINISHED, 1));
        }
        try (CatalogueListing listing = database.listing("auditor")) {
            listing.verify();
            listing.clusters();
            assertThat(listing.partitions(key.clusterId(), null, 1000).items()).isNotEmpty();
            for (CatalogueListing.Kept kept : CatalogueListing.Kept.values()) {
                listing.segments(key, kept, null, 10);
            }
            listing.history(key, null, 10);
        }
        database.execute("create role stranger login password 'stranger'");
        try (CatalogueListing listing = database.listing("stranger")) {
            assertThatThrownBy(listing::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("jdbc.grant.auditor");
            assertThatThrownBy(() -> listing.segments(key, CatalogueListing.Kept.LIVE, null, 1))
                    .isInstanceOf(StoreException.AccessDenied.class);
        }
    }

    @Test
    void aRightThatIsMissingIsNamed() {
        database.execute("revoke delete on shelfmark.segment from broker");
        try (CatalogueStore store = database.store()) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("broker lacks delete on segment in");
        }
    }

    /** A policy that hides rows hides them without a word, and what is hidden would be taken for what is not there. */
    @Test
    void rowsThatAreHiddenAreNotTakenForNone() {
        for (String table : List.of("segment", "topic_partition", "epoch_highest_offset", "cluster")) {
            TestDatabase hiding = TestServer.shared().database();
            PartitionKey key = Fixtures.partition();
            try (CatalogueStore store = hiding.store();
                    CatalogueListing listing = hiding.listing("auditor")) {
                store.commit(
                        key,
                        new PartitionCommit(
                                0,
                                Fixtures.head(1, Map.of(3, 99L)),
                                List.of(Fixtures.segment(0, SegmentState.COPY_SEGMENT_FINISHED, 1)),
                                List.of()));
                store.verify();
                listing.clusters();
                hiding.execute("alter table shelfmark." + table + " enable row level security");
                List<ThrowingCallable> readings = table.equals("cluster")
                        ? List.of(() -> store.cluster("cluster-a"), listing::clusters)
                        : List.of(
                                () -> store.read(key, new Selection.All(), unused -> {}),
                                () -> store.read(key, new Selection.Holding(5), unused -> {}),
                                () -> store.read(key, new Selection.ChangedSince(0), unused -> {}));
                for (ThrowingCallable reading : readings) {
                    assertThatThrownBy(reading)
                            .as(table)
                            .isInstanceOf(StoreException.AccessDenied.class)
                            .hasMessageContaining("row-level security");
                }
                if (table.equals("segment")) {
                    assertThatThrownBy(() -> listing.segments(key, CatalogueListing.Kept.LIVE, null, 10))
                            .isInstanceOf(StoreException.AccessDenied.class);
                }
                assertThatThrownBy(store::verify)
                        .isInstanceOf(StoreException.AccessDenied.class)
                        .hasMessageContaining("row-level security")
                        .hasMessageContaining(table);
            }
        }
    }

    /** As through a pooler, which is told nothing by the connection. */
    @Test
    void rowsThatAreHiddenAreFoundWithoutOptionsToo() {
        TestDatabase hiding = TestServer.shared().database();
        hiding.execute("alter table shelfmark.segment enable row level security");
        try (CatalogueStore store = hiding.store(
                JdbcStoreConfig.STATEMENT_TIMEOUT,
                "0",
                JdbcStoreConfig.LOCK_TIMEOUT,
                "0",
                JdbcStoreConfig.IDLE_IN_TRANSACTION_TIMEOUT,
                "0")) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("row-level security hides rows of segment");
        }
        try (CatalogueListing listing = hiding.listing("auditor")) {
            assertThatThrownBy(listing::verify)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("row-level security hides rows of segment");
        }
    }

    @Test
    void theScriptForAdministratorsIsEnough() throws IOException {
        TestDatabase empty = TestServer.shared().emptyDatabase();
        empty.execute("revoke create on database " + empty.name() + " from owner");
        try (InputStream script = Objects.requireNonNull(SchemaMigrator.class.getResourceAsStream("roles.sql"))) {
            empty.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        for (String role : List.of("shelfmark_owner", "shelfmark_broker", "shelfmark_auditor")) {
            empty.execute("alter role " + role + " password '" + role + "'");
        }
        try (var administration = new JdbcStoreProvider()
                .administration(TestDatabase.context(
                        empty.settings(
                                "shelfmark_owner",
                                JdbcStoreConfig.GRANT_BROKER,
                                "shelfmark_broker",
                                JdbcStoreConfig.GRANT_AUDITOR,
                                "shelfmark_auditor"),
                        Duration.ZERO,
                        StoreListener.NONE))) {
            assertThat(administration.migrate())
                    .containsExactly(
                            "schema version 1: catalogue",
                            "audit views",
                            "rights of a broker: shelfmark_broker",
                            "rights of an auditor: shelfmark_auditor");
        }
        try (CatalogueStore store =
                empty.store(JdbcStoreConfig.USER, "shelfmark_broker", JdbcStoreConfig.PASSWORD, "shelfmark_broker")) {
            store.verify();
        }
    }

    @Test
    void whatWasGrantedIsNotGrantedAgain() {
        assertThat(database.migrate()).isEmpty();
        database.execute("revoke update on shelfmark.segment from broker");
        assertThat(database.migrate()).containsExactly("rights of a broker: broker");
        assertThat(rights("broker")).contains("segment delete insert select update");
    }

    @Test
    void whoMayNotGrantIsToldSo() {
        for (String role : List.of("auditor", "broker")) {
            try (StoreAdministration administration = database.administration(
                    JdbcStoreConfig.USER,
                    role,
                    JdbcStoreConfig.PASSWORD,
                    role,
                    JdbcStoreConfig.GRANT_AUDITOR,
                    "auditor")) {
                assertThatThrownBy(administration::migrate)
                        .isInstanceOf(StoreException.AccessDenied.class)
                        .hasMessageContaining("log in as the owner");
            }
        }
    }

    @Test
    void aRoleThatDoesNotExistIsAnError() {
        try (var administration =
                database.administration(JdbcStoreConfig.GRANT_BROKER, "no\"body; drop schema shelfmark")) {
            assertThatThrownBy(administration::migrate).hasMessageContaining("no\"body; drop schema shelfmark");
        }
    }

    /** Before an administrator has run roles.sql, or with a misspelt name. */
    @ParameterizedTest
    @ValueSource(strings = {JdbcStoreConfig.GRANT_BROKER, JdbcStoreConfig.GRANT_AUDITOR})
    void aRoleThatIsNotThereIsToldWithTheSettingThatNamesIt(String setting) {
        try (StoreAdministration administration = database.administration(setting, "shelfmark_broke")) {
            assertThatThrownBy(administration::migrate)
                    .isInstanceOf(StoreException.AccessDenied.class)
                    .hasMessageContaining("shelfmark_broke")
                    .hasMessageContaining(setting)
                    .hasMessageContaining("roles.sql")
                    .hasMessageNotContaining("read back");
        }
    }

    @Test
    void theDocumentationAltersRolesThatTheScriptMakes() throws IOException {
        String script = Files.readString(Path.of("src/main/resources/dev/shelfmark/jdbc/schema/roles.sql"));
        assertThat(Files.readAllLines(Path.of("..", "docs", "postgresql.md")))
                .filteredOn(line -> line.strip().startsWith("alter role "))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(script)
                        .contains("create role " + line.strip().split(" ", 4)[2] + " login"));
    }
}
