package dev.shelfmark.jdbc.bulk;

import dev.shelfmark.jdbc.connection.ConnectionPool;
import dev.shelfmark.jdbc.connection.Database;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** Bulk loading on PostgreSQL: a step is one transaction, however many partitions it changes, and its segments come through COPY. */
public final class JdbcBulkLoader implements BulkLoader {

    private static final int MAX_SEGMENTS_PER_LOAD = 100_000;

    /** Keeps one connection, as one thread at a time asks: an import has hundreds of short calls. */
    private final ConnectionPool pool;

    private final Database database;
    private final SchemaName schema;
    private final String clusterId;
    private final ClusterState during;
    private final UUID token;
    private final Duration term;
    private boolean closed;

    private JdbcBulkLoader(
            ConnectionPool pool,
            Database database,
            SchemaName schema,
            String clusterId,
            ClusterState during,
            UUID token,
            Duration term) {
        this.pool = pool;
        this.database = database;
        this.schema = schema;
        this.clusterId = clusterId;
        this.during = during;
        this.token = token;
        this.term = term;
    }

    public static LoadClaim claim(
            JdbcStoreConfig config,
            StoreContext context,
            String clusterId,
            ClusterState during,
            String holder,
            Duration term) {
        ConnectionPool pool = ConnectionPool.open(config, context.applicationName());
        boolean granted = false;
        try {
            Database database = new Database(pool, config.schema(), context.listener());
            UUID token = UUID.randomUUID();
            ImportDao.Claim claim = claim(database, clusterId, token, holder, term);
            granted = claim.token().equals(token);
            return granted
                    ? new LoadClaim.Granted(
                            new JdbcBulkLoader(pool, database, config.schema(), clusterId, during, token, term))
                    : new LoadClaim.Held(claim.holder(), claim.until().toInstant());
        } finally {
            if (!granted) {
                pool.close();
            }
        }
    }

    private static ImportDao.Claim claim(
            Database database, String clusterId, UUID token, String holder, Duration term) {
        return database.request(
                        Request.ownersChange("claim", clusterId),
                        found -> 1,
                        handle -> handle.attach(ImportDao.class).claim(clusterId, token, holder, term.toMillis()))
                .orElseThrow(() -> new StoreException.Unavailable(
                        "the claim on the import of " + clusterId + " changed hands just now: try again", null));
    }

    @Override
    public boolean empty() {
        return !read("import.empty", dao -> dao.anyPartition(clusterId));
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints() {
        return read("import.checkpoints", dao -> dao.checkpoints(clusterId));
    }

    @Override
    public Map<PartitionKey, Progress> progress(int source) {
        Map<PartitionKey, Progress> progress = new HashMap<>();
        for (ImportDao.PartitionProgress found : read("import.progress", dao -> dao.progress(clusterId, source))) {
            progress.put(new PartitionKey(clusterId, found.topicId(), found.partition()), found.progress());
        }
        return progress;
    }

    private <T> T read(String operation, Function<ImportDao, T> query) {
        ensureOpen();
        return database.request(
                Request.read(operation, clusterId), found -> 1, handle -> query.apply(handle.attach(ImportDao.class)));
    }

    @Override
    public int maxSegmentsPerLoad() {
        return MAX_SEGMENTS_PER_LOAD;
    }

    @Override
    public LoadResult load(List<PartitionLoad> loads) {
        for (List<PartitionLoad> step : steps(loads)) {
            LoadResult result =
                    change("import.load", rows(step), handle -> new BulkStep(handle, schema, clusterId).apply(step));
            if (result != LoadResult.LOADED) {
                return result;
            }
        }
        return LoadResult.LOADED;
    }

    /** Runs of loads of which each is of another partition: later ones of the same see what earlier ones made of it. */
    private static List<List<PartitionLoad>> steps(List<PartitionLoad> loads) {
        List<List<PartitionLoad>> steps = new ArrayList<>();
        Set<PartitionKey> keys = new HashSet<>();
        int from = 0;
        for (int i = 0; i < loads.size(); i++) {
            PartitionLoad load = loads.get(i);
            if (load.size() > MAX_SEGMENTS_PER_LOAD) {
                throw new StoreException.Unsupported(
                        load.size() + " segments in one load of " + load.key() + "; at most " + MAX_SEGMENTS_PER_LOAD
                                + " are possible",
                        null);
            }
            if (!keys.add(load.key())) {
                steps.add(loads.subList(from, i));
                from = i;
                keys.clear();
                keys.add(load.key());
            }
        }
        if (from < loads.size()) {
            steps.add(loads.subList(from, loads.size()));
        }
        return steps;
    }

    private static long rows(List<PartitionLoad> loads) {
        return loads.stream()
                .mapToLong(
                        load -> 2L + load.size() + load.head().highestOffsets().size())
                .sum();
    }

    @Override
    public LoadResult checkpoint(int source, Checkpoint checkpoint) {
        return change("import.checkpoint", 1, handle -> {
            ImportDao dao = handle.attach(ImportDao.class);
            dao.putCheckpoint(clusterId, source, checkpoint.sourceId(), checkpoint.nextOffset(), checkpoint.note());
            dao.forgetProgress(clusterId, source, checkpoint.nextOffset());
            return LoadResult.LOADED;
        });
    }

    @Override
    public LoadResult renew() {
        return change("import.renew", 1, handle -> LoadResult.LOADED);
    }

    /** One transaction, within which the claim is ours and the cluster stays importing. Anything but LOADED rolls it back. */
    private LoadResult change(String operation, long rows, Function<Handle, LoadResult> work) {
        ensureOpen();
        return database.request(
                Request.ownersChange(operation, clusterId),
                result -> result == LoadResult.LOADED ? rows : 0,
                handle -> handle.inTransaction(inside -> {
                    LoadResult result = permitted(inside.attach(ImportDao.class));
                    if (result == LoadResult.LOADED) {
                        result = work.apply(inside);
                    }
                    if (result != LoadResult.LOADED) {
                        inside.rollback();
                    }
                    return result;
                }));
    }

    private LoadResult permitted(ImportDao dao) {
        if (!dao.renew(clusterId, token, term.toMillis())) {
            return LoadResult.CLAIM_LOST;
        }
        boolean inState = dao.lockState(clusterId)
                .filter(state -> state.equals(StateCodes.word(during)))
                .isPresent();
        return inState ? LoadResult.LOADED : LoadResult.NOT_IMPORTING;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try (pool) {
                database.request(
                        Request.change("import.release", clusterId),
                        released -> released,
                        handle -> handle.attach(ImportDao.class).release(clusterId, token));
            }
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw Database.closed();
        }
    }
}
