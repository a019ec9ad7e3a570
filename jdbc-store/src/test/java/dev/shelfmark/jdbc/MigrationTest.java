package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.schema.SchemaVersion;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The schema comes to be, stays, and is refused when it is not ours. */
final class MigrationTest {

    private static final List<String> STEPS = List.of("schema version 1: catalogue", "audit views");

    @Test
    void migratingTwiceDoesNothingTheSecondTime() {
        TestDatabase database = TestServer.shared().emptyDatabase();
        try (StoreAdministration administration = database.administration()) {
            assertThat(administration.schema().current()).isZero();
            assertThat(administration.schema().pending()).containsExactlyElementsOf(STEPS);
            assertThat(administration.migrate()).containsExactlyElementsOf(STEPS);
            assertThat(administration.migrate()).isEmpty();
            assertThat(administration.schema())
                    .isEqualTo(new StoreAdministration.SchemaStatus(
                            SchemaVersion.CURRENT.supported(), SchemaVersion.CURRENT.supported(), List.of()));
        }
    }

    @Test
    void thisBuildsVersionIsItsLastMigration() throws IOException {
        try (Stream<Path> migrations = Files.list(Path.of("src/main/resources/dev/shelfmark/jdbc/schema/migration"))) {
            assertThat(migrations
                            .filter(file -> file.getFileName().toString().startsWith("V"))
                            .mapToInt(file -> Integer.parseInt(
                                    file.getFileName().toString().replaceFirst("^V([0-9]+)__.*", "$1")))
                            .max())
                    .hasValue(SchemaVersion.CURRENT.supported());
        }
    }

    @Test
    void severalAtOnceWaitForEachOther() throws Exception {
        for (int round = 0; round < 3; round++) {
            TestDatabase database = TestServer.shared().emptyDatabase();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<List<String>>> runs = threads.invokeAll(List.<Callable<List<String>>>of(
                        database::migrate, database::migrate, database::migrate, database::migrate));
                List<String> steps = new ArrayList<>();
                for (Future<List<String>> run : runs) {
                    steps.addAll(run.get());
                }
                assertThat(steps).filteredOn(STEPS::contains).containsExactlyInAnyOrderElementsOf(STEPS);
            } finally {
                threads.shutdown();
            }
        }
    }

    @Test
    void aSchemaMadeByTheOwnersAdministratorWillDo() {
        TestDatabase database = TestServer.shared().emptyDatabase();
        database.execute("revoke create on database " + database.name() + " from owner");
        assertThatThrownBy(database::migrate).isInstanceOf(StoreException.AccessDenied.class);
        database.execute("create schema shelfmark authorization owner");
        assertThatThrownBy(database::migrate)
                .isInstanceOf(StoreException.AccessDenied.class)
                .hasMessageContaining("create schema shelfmark_audit authorization owner");
        database.execute("create schema shelfmark_audit authorization owner");
        assertThat(database.migrate())
                .containsExactly("audit views", "rights of a broker: broker", "rights of an auditor: auditor");
    }

    @Test
    void aSchemaOfSomeoneElseIsRefused() {
        TestDatabase database = TestServer.shared().emptyDatabase();
        database.execute("create schema shelfmark authorization owner");
        database.execute("create table shelfmark.invoices (id int)");
        try (StoreAdministration administration = database.administration()) {
            assertThatThrownBy(administration::migrate)
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("invoices")
                    .hasMessageContaining("jdbc.schema");
        }
        assertThat(database.query("select tablename from pg_tables where schemaname = 'shelfmark'"))
                .containsExactly("invoices");
    }

    @Test
    void aNewerSchemaIsRefused() {
        TestDatabase database = TestServer.shared().database();
        int newer = SchemaVersion.CURRENT.supported() + 1;
        addHistory(database, newer);
        try (StoreAdministration administration = database.administration();
                CatalogueStore store = database.store()) {
            assertThatThrownBy(administration::migrate)
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("version " + newer)
                    .hasMessageContaining("newer");
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("version " + newer)
                    .hasMessageContaining("newer");
            assertThat(administration.schema().current()).isEqualTo(newer);
        }
    }

    @Test
    void aChangedMigrationIsRefused() {
        TestDatabase database = TestServer.shared().database();
        database.execute("update shelfmark.schema_history set checksum = 1 where version = '1'");
        try (StoreAdministration administration = database.administration()) {
            assertThatThrownBy(administration::migrate).isInstanceOf(StoreException.SchemaMismatch.class);
        }
    }

    @Test
    void onlyTheVersionsThatABuildKnowsAreAccepted() {
        SchemaName schema = new SchemaName("shelfmark");
        for (int right : new int[] {2, 3, 4}) {
            new SchemaVersion(2, 4).require(right, schema);
        }
        for (int wrong : new int[] {0, 1, 5}) {
            assertThatThrownBy(() -> new SchemaVersion(2, 4).require(wrong, schema))
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("version " + wrong);
        }
        assertThatThrownBy(() -> new SchemaVersion(2, 4).require(1, schema)).hasMessageContaining("needs 2 to 4");
        assertThatThrownBy(() -> new SchemaVersion(1, 1).require(0, schema))
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("needs 1: run `shelfmark upgrade-schema`");
    }

    @Test
    void aBuildWorksWithTheVersionBeforeItsOwn() {
        assertThat(SchemaVersion.CURRENT.oldest()).isBetween(1, Math.max(1, SchemaVersion.CURRENT.supported() - 1));
    }

    @Test
    void aMigrationDoesNotWaitForeverForAnAuditThatReads() throws Exception {
        TestDatabase database = TestServer.shared().database();
        database.execute("update shelfmark.schema_history set checksum = 1 where description = 'audit views'");
        try (Connection audit = database.connect();
                Statement statement = audit.createStatement();
                StoreAdministration administration = database.administration(JdbcStoreConfig.LOCK_TIMEOUT, "300")) {
            audit.setAutoCommit(false);
            statement.execute("select count(*) from shelfmark_audit.segments");
            assertThatThrownBy(administration::migrate)
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("nothing was changed")
                    .hasMessageContaining("jdbc.lock.timeout.ms");
            audit.rollback();
            assertThat(administration.migrate()).containsExactly("audit views");
        }
    }

    @Test
    void aPartitionThatHadFinishedSegmentsCantBeDeletedByHand() {
        TestDatabase database = TestServer.shared().database();
        database.execute("""
                insert into shelfmark.topic_partition (cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span)
                  values ('cluster', gen_random_uuid(), 0, 'orders', 2, 1, 9);
                insert into shelfmark.epoch_highest_offset select id, 0, 9, 2 from shelfmark.topic_partition;
                """);
        assertThatThrownBy(() -> database.execute("delete from shelfmark.topic_partition"))
                .rootCause()
                .hasMessageContaining("violates foreign key");
        assertThatThrownBy(() -> database.execute("truncate shelfmark.topic_partition"))
                .rootCause()
                .hasMessageContaining("foreign key");
    }

    @Test
    void aMissingSchemaNamesTheCommand() {
        TestDatabase database = TestServer.shared().emptyDatabase();
        try (CatalogueStore store = database.store()) {
            assertThatThrownBy(store::verify)
                    .isInstanceOf(StoreException.SchemaMismatch.class)
                    .hasMessageContaining("shelfmark init");
        }
    }

    @Test
    void twoCataloguesInOneDatabase() {
        TestDatabase database = TestServer.shared().database();
        Instant now = Instant.ofEpochSecond(1_700_000_000, 123_456_000);
        ClusterRecord record = new ClusterRecord("cluster-a", ClusterState.READY, 1, now, "me", "");
        try (StoreAdministration second = database.administration(
                JdbcStoreConfig.SCHEMA, "second_shelf", JdbcStoreConfig.GRANT_BROKER, "broker")) {
            second.migrate();
            second.putCluster(record);
        }
        try (CatalogueStore first = database.store();
                CatalogueStore second = database.store(JdbcStoreConfig.SCHEMA, "second_shelf")) {
            second.verify();
            assertThat(first.cluster("cluster-a")).isEmpty();
            assertThat(second.cluster("cluster-a")).contains(record);
        }
    }

    private static void addHistory(TestDatabase database, int version) {
        database.execute("""
                insert into shelfmark.schema_history
                  (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                values (%1$d0, '%1$d', 'later', 'SQL', 'V%1$d__later.sql', 0, 'owner', 1, true)
                """.formatted(version));
    }
}
