package dev.shelfmark.plugin.bridge;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.store.memory.InMemoryCatalogueStore.Database;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;

/** Databases in memory, by name, that can be switched off, and whose commits can be made to sleep. */
public final class SwitchableProvider implements StoreProvider {

    private static final Map<String, Server> SERVERS = new ConcurrentHashMap<>();

    /** For {@link java.util.ServiceLoader}. */
    public SwitchableProvider() {}

    /** What a name stands for. */
    public static final class Server {
        public final Database database = new Database(Clock.systemUTC());
        volatile boolean down;
        volatile CountDownLatch sleep = new CountDownLatch(0);
        volatile boolean asleep;
        volatile Runnable beforeLook = () -> {};
        volatile Runnable beforePurge = () -> {};
        volatile Runnable beforeHeartbeat = () -> {};
        volatile Runnable beforeClose = () -> {};
    }

    /** The server of a name, made when it is first asked for. */
    public static Server server(String name) {
        return SERVERS.computeIfAbsent(name, unused -> new Server());
    }

    @Override
    public String name() {
        return "switchable";
    }

    @Override
    public ConfigDef configDef() {
        return new ConfigDef()
                .define("switchable.server", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "its name");
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        Server server = server(String.valueOf(context.config().get("switchable.server")));
        CatalogueStore store = new InMemoryCatalogueStore(server.database, context.retention(), context.listener());
        return new Store(server, store);
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        throw new UnsupportedOperationException("a test has the database");
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        throw new UnsupportedOperationException("a test has the database");
    }

    private record Store(Server server, CatalogueStore store) implements CatalogueStore {

        private void ensureUp() {
            if (server.down) {
                throw new StoreException.Unavailable("switched off", null);
            }
        }

        @Override
        public void verify() {
            ensureUp();
        }

        @Override
        public Optional<ClusterRecord> cluster(String clusterId) {
            server.beforeLook.run();
            ensureUp();
            return store.cluster(clusterId);
        }

        @Override
        public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
            ensureUp();
            return store.read(key, selection, segments);
        }

        @Override
        public CommitResult commit(PartitionKey key, PartitionCommit commit) {
            ensureUp();
            server.asleep = true;
            try {
                if (!server.sleep.await(60, TimeUnit.SECONDS)) {
                    throw new StoreException.Unavailable("slept for too long", null);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return store.commit(key, commit);
        }

        @Override
        public int maxSegmentsPerCommit() {
            return store.maxSegmentsPerCommit();
        }

        @Override
        public int purgeDeleted(String clusterId, int limit) {
            server.beforePurge.run();
            ensureUp();
            return store.purgeDeleted(clusterId, limit);
        }

        @Override
        public int purgeHistory(int limit) {
            ensureUp();
            return store.purgeHistory(limit);
        }

        @Override
        public void heartbeat(BrokerHeartbeat beat) {
            server.beforeHeartbeat.run();
            ensureUp();
            store.heartbeat(beat);
        }

        @Override
        public void close() {
            server.beforeClose.run();
            store.close();
        }
    }
}
