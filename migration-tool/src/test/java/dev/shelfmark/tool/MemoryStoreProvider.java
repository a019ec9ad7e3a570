package dev.shelfmark.tool;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueListing;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.store.memory.InMemoryCatalogueStore.Database;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** A back end with a schema version and a login, kept in memory. */
public final class MemoryStoreProvider implements StoreProvider {

    private static final int SUPPORTED = 2;

    public final Database database = new Database(Clock.systemUTC());
    public volatile int schemaVersion;
    volatile @Nullable StoreException failure;
    /** Of the question for heartbeats alone. */
    public volatile @Nullable StoreException failureOfHeartbeats;

    /** The next change of a cluster's record is made, and its answer lost. */
    public volatile boolean losesNextAnswer;

    volatile @Nullable Error error;
    volatile @Nullable StoreContext opened;

    /** How many pages a listing gives before the database fails. */
    volatile int pages = Integer.MAX_VALUE;

    private final String password;

    MemoryStoreProvider(String password) {
        this.password = password;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public ConfigDef configDef() {
        return new ConfigDef()
                .define("memory.url", ConfigDef.Type.STRING, Importance.HIGH, "where it is")
                .define("memory.user", ConfigDef.Type.STRING, "broker", Importance.HIGH, "who logs in")
                .define("memory.password", ConfigDef.Type.PASSWORD, "", Importance.HIGH, "the password");
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        opened = context;
        return new InMemoryCatalogueStore(database, context.retention(), context.listener());
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        opened = context;
        return new Administration((Password) context.config().get("memory.password"));
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        opened = context;
        StoreException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return ending(new InMemoryCatalogueListing(database, context.listener()));
    }

    private CatalogueListing ending(CatalogueListing whole) {
        AtomicInteger left = new AtomicInteger(pages);
        return (CatalogueListing) Proxy.newProxyInstance(
                CatalogueListing.class.getClassLoader(),
                new Class<?>[] {CatalogueListing.class},
                (proxy, method, arguments) -> {
                    if (method.getReturnType() == CatalogueListing.Page.class && left.decrementAndGet() < 0) {
                        throw new StoreException.Unavailable("the database went away", null);
                    }
                    return method.invoke(whole, arguments);
                });
    }

    private final class Administration implements StoreAdministration, BulkLoading, ProgressAcceptance {

        private final @Nullable Password given;

        Administration(@Nullable Password given) {
            this.given = given;
        }

        private void connect() {
            Error fault = error;
            if (fault != null) {
                throw fault;
            }
            StoreException thrown = failure;
            if (thrown != null) {
                throw thrown;
            }
            if (given == null || !given.value().equals(password)) {
                throw new StoreException.AccessDenied("the password for memory is wrong; check memory.password", null);
            }
        }

        private void connectToSchema() {
            connect();
            if (schemaVersion == 0) {
                throw new StoreException.SchemaMismatch("there is no schema; run 'shelfmark upgrade-schema'", null);
            }
        }

        @Override
        public List<String> migrate() {
            List<String> done = schema().pending();
            schemaVersion = SUPPORTED;
            return done;
        }

        @Override
        public SchemaStatus schema() {
            connect();
            return new SchemaStatus(
                    schemaVersion,
                    SUPPORTED,
                    List.of("V1 segments", "V2 audit views").subList(schemaVersion, SUPPORTED));
        }

        @Override
        public List<String> rights() {
            return List.of("policy of a broker: may read and write");
        }

        @Override
        public List<ClusterRecord> clusters() {
            connectToSchema();
            return database.clusters();
        }

        @Override
        public Optional<ClusterRecord> cluster(String clusterId) {
            return clusters().stream()
                    .filter(record -> record.clusterId().equals(clusterId))
                    .findFirst();
        }

        @Override
        public boolean putCluster(ClusterRecord next) {
            connectToSchema();
            boolean written = database.putCluster(next);
            if (losesNextAnswer) {
                losesNextAnswer = false;
                throw new StoreException.OutcomeUnknown("the connection broke", null);
            }
            return written;
        }

        @Override
        public List<BrokerHeartbeat> heartbeats(String clusterId) {
            connectToSchema();
            StoreException thrown = failureOfHeartbeats;
            if (thrown != null) {
                throw thrown;
            }
            return database.heartbeats(clusterId);
        }

        @Override
        public LoadClaim claimLoad(String clusterId, ClusterState during, String holder, Duration term) {
            connectToSchema();
            return database.claimLoad(clusterId, during, holder, term);
        }

        @Override
        public Map<Integer, Checkpoint> checkpoints(String clusterId) {
            connectToSchema();
            return database.checkpoints(clusterId);
        }

        @Override
        public Optional<CatalogueProgress> progress(String clusterId) {
            connectToSchema();
            return database.progress(clusterId);
        }

        @Override
        public boolean accept(String clusterId, Optional<String> current, String next, Set<String> replaces) {
            connectToSchema();
            return database.accept(clusterId, current, next, replaces);
        }

        @Override
        public void close() {}
    }
}
