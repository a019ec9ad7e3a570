package dev.shelfmark.jdbc;

import dev.shelfmark.jdbc.bulk.ImportDao;
import dev.shelfmark.jdbc.bulk.JdbcBulkLoader;
import dev.shelfmark.jdbc.cluster.ClusterDao;
import dev.shelfmark.jdbc.cluster.HeartbeatDao;
import dev.shelfmark.jdbc.cluster.ProgressDao;
import dev.shelfmark.jdbc.connection.Database;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.PostgresDataSource;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.jdbc.schema.Grants;
import dev.shelfmark.jdbc.schema.SchemaMigrator;
import dev.shelfmark.jdbc.schema.SchemaVersion;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Administration on PostgreSQL, with the owner's role. Calls are few, so each has a connection of its own; those of a loader are many, and
 * share one.
 */
final class JdbcAdministration implements StoreAdministration, BulkLoading, ProgressAcceptance {

    private final JdbcStoreConfig config;
    private final StoreContext context;
    private final Database database;
    private final Database migrationDatabase;
    private final SchemaMigrator migrator;
    private final ProgressDao progress;
    private volatile boolean closed;

    JdbcAdministration(JdbcStoreConfig config, StoreContext context, SchemaVersion version) {
        this.config = config;
        this.context = context;
        DataSource dataSource = new PostgresDataSource(config, context.applicationName());
        DataSource patient = new PostgresDataSource(config.forMigrations(), context.applicationName());
        this.database = new Database(dataSource, config.schema(), context.listener());
        this.migrationDatabase = new Database(patient, config.schema(), context.listener());
        this.progress = new ProgressDao(config.schema());
        this.migrator = new SchemaMigrator(patient, config.schema(), version, config.migrationTimeout());
    }

    static JdbcAdministration open(JdbcStoreConfig config, StoreContext context) {
        return new JdbcAdministration(config, context, SchemaVersion.CURRENT);
    }

    @Override
    public List<String> migrate() {
        ensureOpen();
        List<String> done = new ArrayList<>(migrator.migrate());
        done.addAll(migrationDatabase.request(
                Request.ownersChange("grant", config.schema().name()),
                List::size,
                handle -> handle.inTransaction(inside -> new Grants(inside, config.schema()).apply(config))));
        return done;
    }

    @Override
    public SchemaStatus schema() {
        ensureOpen();
        return migrator.status();
    }

    @Override
    public List<String> rights() {
        return List.of();
    }

    @Override
    public List<ClusterRecord> clusters() {
        ensureOpen();
        return database.request(
                Request.read("clusters", ""),
                List::size,
                handle -> handle.attach(ClusterDao.class).all());
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        ensureOpen();
        return database.request(
                Request.read("cluster", clusterId),
                found -> found.isPresent() ? 1 : 0,
                handle -> handle.attach(ClusterDao.class).find(clusterId));
    }

    @Override
    public boolean putCluster(ClusterRecord next) {
        ensureOpen();
        String state = StateCodes.word(next.state());
        OffsetDateTime changedAt = next.changedAt().atOffset(ZoneOffset.UTC);
        return database.request(
                Request.ownersChange("put.cluster", next.clusterId()), written -> written ? 1 : 0, handle -> {
                    ClusterDao dao = handle.attach(ClusterDao.class);
                    return next.revision() == 1
                            ? dao.create(next.clusterId(), state, changedAt, next.changedBy(), next.note())
                            : dao.update(
                                    next.clusterId(), state, next.revision(), changedAt, next.changedBy(), next.note());
                });
    }

    @Override
    public List<BrokerHeartbeat> heartbeats(String clusterId) {
        ensureOpen();
        return database.request(
                Request.read("heartbeats", clusterId),
                List::size,
                handle -> handle.attach(HeartbeatDao.class).all(clusterId));
    }

    @Override
    public Optional<CatalogueProgress> progress(String clusterId) {
        ensureOpen();
        return database.run(
                Request.read("progress", clusterId),
                found -> found.isPresent() ? 1 : 0,
                connection -> progress.find(connection, clusterId));
    }

    @Override
    public boolean accept(String clusterId, Optional<String> current, String next, Set<String> replaces) {
        ensureOpen();
        return database.run(
                Request.ownersChange("progress.accept", clusterId),
                written -> written ? 1 : 0,
                connection -> (current.isEmpty()
                                ? progress.begin(connection, clusterId, next, replaces)
                                : progress.accept(connection, clusterId, current.get(), next, replaces))
                        == 1);
    }

    @Override
    public LoadClaim claimLoad(String clusterId, ClusterState during, String holder, Duration term) {
        ensureOpen();
        return JdbcBulkLoader.claim(config.forMigrations(), context, clusterId, during, holder, term);
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints(String clusterId) {
        ensureOpen();
        return database.request(
                Request.read("import.checkpoints", clusterId),
                Map::size,
                handle -> handle.attach(ImportDao.class).checkpoints(clusterId));
    }

    @Override
    public void close() {
        closed = true;
    }

    private void ensureOpen() {
        if (closed) {
            throw Database.closed();
        }
    }
}
