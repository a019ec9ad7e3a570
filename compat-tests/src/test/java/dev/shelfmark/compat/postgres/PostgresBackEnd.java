package dev.shelfmark.compat.postgres;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.FaultyStore;
import dev.shelfmark.compat.SpoilableHarness;
import dev.shelfmark.compat.StoreBackEnd;
import dev.shelfmark.compat.StoreHarness;
import dev.shelfmark.jdbc.JdbcStoreProvider;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** The PostgreSQL store: a database for each theme, on one server for the whole run, which stops when this JVM ends. */
public final class PostgresBackEnd implements StoreBackEnd {

    private static final class Server {
        static final PostgresServer SHARED = PostgresServer.start();
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public StoreHarness start() {
        Harness harness = new Harness(Server.SHARED.createDatabase());
        try (StoreAdministration administration = harness.administration()) {
            administration.migrate();
        }
        return harness;
    }

    private record Harness(PostgresDatabase database) implements SpoilableHarness {

        private static final StoreProvider PROVIDER = new JdbcStoreProvider();

        private static StoreContext context(Map<String, String> settings, Retention retention, StoreListener listener) {
            return new StoreContext(PROVIDER.configDef().parse(settings), retention, "shelfmark-compat", listener);
        }

        @Override
        public CatalogueStore open(Retention retention, StoreListener listener) {
            Map<String, String> settings = database.settings(PostgresDatabase.BROKER);
            settings.put("jdbc.pool.max.size", "4");
            return PROVIDER.open(context(settings, retention, listener));
        }

        @Override
        public FaultyStore openFaulty(StoreListener listener) {
            FaultProxy proxy =
                    new FaultProxy(database.server().host(), database.server().port());
            Map<String, String> settings = database.settings(PostgresDatabase.BROKER);
            settings.put("jdbc.url", database.url(proxy.host(), proxy.port()));
            settings.put("jdbc.pool.max.size", "4");
            settings.put("jdbc.pool.wait.timeout.ms", "2000");
            settings.put("jdbc.connect.timeout.ms", "1000");
            settings.put("jdbc.login.timeout.ms", "2000");
            settings.put("jdbc.socket.timeout.ms", "2000");
            settings.put("jdbc.statement.timeout.ms", "1500");
            settings.put("jdbc.lock.timeout.ms", "1000");
            return new FaultyStore(PROVIDER.open(context(settings, A_DAY, listener)), proxy);
        }

        /** A connection that is waited for, and an answer that is waited for. */
        @Override
        public Duration callLimit() {
            return Duration.ofSeconds(4);
        }

        @Override
        public StoreAdministration administration() {
            return PROVIDER.administration(context(database.ownerSettings(), Retention.NONE, StoreListener.NONE));
        }

        @Override
        public CatalogueListing listing(StoreListener listener) {
            Map<String, String> settings = database.settings(PostgresDatabase.AUDITOR);
            settings.put("jdbc.pool.max.size", "2");
            return PROVIDER.listing(context(settings, A_DAY, listener));
        }

        @Override
        public boolean recordsExpireByThemselves() {
            return false;
        }

        @Override
        public CatalogueStore openWithoutSchema() {
            Map<String, String> settings = database.settings(PostgresDatabase.BROKER);
            settings.put("jdbc.schema", "not_there");
            return PROVIDER.open(context(settings, A_DAY, StoreListener.NONE));
        }

        @Override
        public CatalogueStore openWithoutRights(String secret) {
            Map<String, String> settings = database.settings("nobody");
            settings.put("jdbc.password", secret);
            return PROVIDER.open(context(settings, A_DAY, StoreListener.NONE));
        }

        @Override
        public void spoilClusterState(String clusterId) {
            database.execute("update shelfmark.cluster set state = 'draining' where cluster_id = '" + clusterId + "'");
        }

        @Override
        public void spoilSegmentState(PartitionKey key, UUID segmentId) {
            database.execute("update shelfmark.segment set state = 9 where segment_id = '" + segmentId + "'");
        }

        @Override
        public void close() {
            database.close();
        }
    }
}
