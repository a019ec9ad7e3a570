package dev.shelfmark.jdbc;

import dev.shelfmark.jdbc.cluster.ProgressDao;
import dev.shelfmark.jdbc.connection.ConnectionPool;
import dev.shelfmark.jdbc.connection.ConnectionWork;
import dev.shelfmark.jdbc.connection.Database;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.partition.CommitDao;
import dev.shelfmark.jdbc.partition.CommitStatement;
import dev.shelfmark.jdbc.partition.PartitionDao;
import dev.shelfmark.jdbc.partition.PartitionRow;
import dev.shelfmark.jdbc.partition.PurgeDao;
import dev.shelfmark.jdbc.schema.SchemaVersion;
import dev.shelfmark.jdbc.schema.ServerStatus;
import dev.shelfmark.jdbc.schema.StartupChecksDao;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.VersionReading;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SPI on PostgreSQL: one statement, outside of any transaction, for each call but a full load. */
public final class JdbcCatalogueStore implements CatalogueStore, VersionReading, ProgressKeeping {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcCatalogueStore.class);
    private static final int MAX_SEGMENTS_PER_COMMIT = 500;
    private static final UUID LOWEST_ID = new UUID(0, 0);
    private static final Duration FOR_EVER = Duration.ofDays(365_000);

    private final ConnectionPool pool;
    private final Database database;
    private final SchemaName schema;
    private final SchemaVersion version;
    private final long deletedSegmentMillis;
    private final long historyMillis;
    private final long statementTimeoutMillis;
    private final PartitionDao partitions;
    private final CommitDao commits;
    private final PurgeDao purges;
    private final StartupChecksDao startupChecks;
    private final ProgressDao progress;

    JdbcCatalogueStore(
            ConnectionPool pool,
            Database database,
            SchemaName schema,
            SchemaVersion version,
            Retention retention,
            Duration statementTimeout) {
        this.pool = pool;
        this.database = database;
        this.schema = schema;
        this.version = version;
        this.partitions = new PartitionDao(schema);
        this.commits = new CommitDao(schema);
        this.purges = new PurgeDao(schema);
        this.startupChecks = new StartupChecksDao(schema);
        this.progress = new ProgressDao(schema);
        this.deletedSegmentMillis = millis(retention.deletedSegments());
        this.historyMillis = millis(retention.history());
        this.statementTimeoutMillis = statementTimeout.toMillis();
    }

    /** No longer than the database can count. */
    private static long millis(Duration duration) {
        return (duration.compareTo(FOR_EVER) < 0 ? duration : FOR_EVER).toMillis();
    }

    static JdbcCatalogueStore open(JdbcStoreConfig config, StoreContext context) {
        ConnectionPool pool = ConnectionPool.open(config, context.applicationName());
        Database database = new Database(pool, config.schema(), context.listener());
        return new JdbcCatalogueStore(
                pool, database, config.schema(), SchemaVersion.CURRENT, context.retention(), config.statementTimeout());
    }

    @Override
    public void verify() {
        ensureOpen();
        Request request = Request.read("verify", "");
        version.require(database.run(request, unused -> 1, startupChecks::version), schema);
        ServerStatus server = database.run(request, unused -> 1, startupChecks::server);
        if (server.inRecovery() || server.readOnly()) {
            throw new StoreException.Unavailable(
                    "the server is " + (server.inRecovery() ? "a standby" : "read-only") + ": " + JdbcStoreConfig.URL
                            + " must lead to the primary",
                    null);
        }
        if (server.missing() != null) {
            throw new StoreException.AccessDenied(
                    "the role " + server.role() + " lacks " + server.missing() + " in the schema " + schema.name()
                            + ": set " + JdbcStoreConfig.GRANT_BROKER
                            + " and run `shelfmark upgrade-schema` as the owner",
                    null);
        }
        if (server.hidden() != null) {
            throw ServerStatus.hidden(server.hidden(), schema);
        }
        if (server.synchronousCommit().equals("off")) {
            LOG.warn(
                    "synchronous_commit is off for the role {}: PostgreSQL then acknowledges changes of the catalogue that a"
                            + " crash of the server can take back, while the segments that they name stay or are gone. Set it to on.",
                    server.role());
        }
        if (statementTimeoutMillis > 0 && server.statementTimeoutMillis() != statementTimeoutMillis) {
            LOG.warn(
                    "{} is {}, but the server's statement_timeout for the role {} is {} ms: a pooler has dropped the connection's"
                            + " options, and {} and {} with it. Set the three limits on the role, and these settings to 0.",
                    JdbcStoreConfig.STATEMENT_TIMEOUT,
                    statementTimeoutMillis,
                    server.role(),
                    server.statementTimeoutMillis(),
                    JdbcStoreConfig.LOCK_TIMEOUT,
                    JdbcStoreConfig.IDLE_IN_TRANSACTION_TIMEOUT);
        }
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        ensureOpen();
        return database.run(
                Request.read("cluster", clusterId),
                found -> found.isPresent() ? 1 : 0,
                connection -> startupChecks.cluster(connection, clusterId));
    }

    @Override
    public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
        ensureOpen();
        Collector rows = new Collector(segments);
        return database.run(Request.read(operation(selection), key), unused -> rows.count, connection -> {
            select(connection, key, selection, rows);
            return rows.head;
        });
    }

    @Override
    public Map<PartitionKey, Long> versions(String clusterId, List<PartitionKey> keys) {
        ensureOpen();
        return database.run(
                Request.read("read.versions", clusterId),
                Map::size,
                connection -> partitions.versions(connection, clusterId, keys));
    }

    private static String operation(Selection selection) {
        if (selection instanceof Selection.HeadOnly) {
            return "read.head";
        } else if (selection instanceof Selection.All) {
            return "read.all";
        } else if (selection instanceof Selection.ChangedSince) {
            return "read.changes";
        } else if (selection instanceof Selection.ById) {
            return "read.ids";
        } else if (selection instanceof Selection.Holding) {
            return "read.holding";
        }
        return "read.txn";
    }

    private void select(Connection connection, PartitionKey key, Selection selection, Collector rows)
            throws SQLException {
        if (selection instanceof Selection.HeadOnly) {
            partitions.head(connection, key, rows);
        } else if (selection instanceof Selection.All) {
            partitions.all(connection, key, rows);
        } else if (selection instanceof Selection.ChangedSince changed) {
            partitions.changes(connection, key, changed.version(), rows);
        } else if (selection instanceof Selection.ById byId) {
            partitions.byId(connection, key, byId.segmentIds().toArray(UUID[]::new), rows);
        } else if (selection instanceof Selection.Holding holding) {
            partitions.holding(connection, key, Math.max(-1, holding.offset()), rows);
        } else if (selection instanceof Selection.WithTxnIndex page) {
            Selection.Position after = page.after() == null ? new Selection.Position(-1, LOWEST_ID) : page.after();
            partitions.withTxnIndex(
                    connection,
                    key,
                    Math.max(-1, page.offset()),
                    after.startOffset(),
                    after.segmentId(),
                    page.limit(),
                    rows);
        } else {
            throw new IllegalArgumentException("unknown selection " + selection);
        }
    }

    /** Keeps the head and passes the segments on. */
    private static final class Collector implements Consumer<PartitionRow> {
        private final Consumer<SegmentRecord> segments;
        private PartitionHead head = PartitionHead.NEW;
        private long count;

        Collector(Consumer<SegmentRecord> segments) {
            this.segments = segments;
        }

        @Override
        public void accept(PartitionRow row) {
            count++;
            if (row instanceof PartitionRow.Head found) {
                head = found.head();
            } else if (row instanceof PartitionRow.Segment found) {
                segments.accept(found.segment());
            }
        }
    }

    @Override
    public CommitResult commit(PartitionKey key, PartitionCommit commit) {
        ensureOpen();
        if (commit.segments().size() > MAX_SEGMENTS_PER_COMMIT) {
            throw new StoreException.Unsupported(
                    commit.segments().size() + " segments in one commit of " + key + "; at most "
                            + MAX_SEGMENTS_PER_COMMIT + " are possible",
                    null);
        }
        boolean applied = database.run(
                Request.change("commit", key),
                done -> done
                        ? 1
                                + commit.segments().size()
                                + commit.head().highestOffsets().size()
                                + historyRows(commit)
                        : 0,
                connection -> commits.commit(connection, key, commit, historyMillis));
        return applied ? new CommitResult.Committed() : new CommitResult.VersionConflict();
    }

    private int historyRows(PartitionCommit commit) {
        return CommitStatement.Kept.of(commit, historyMillis) == CommitStatement.Kept.NOT ? 0 : 1;
    }

    @Override
    public int maxSegmentsPerCommit() {
        return MAX_SEGMENTS_PER_COMMIT;
    }

    @Override
    public int purgeDeleted(String clusterId, int limit) {
        ensureOpen();
        // A purge whose outcome is unknown is no loss: the next one goes on from whatever is left.
        return database.run(
                Request.read("purge", clusterId),
                purged -> purged,
                connection -> purges.purge(connection, clusterId, deletedSegmentMillis, limit));
    }

    @Override
    public int purgeHistory(int limit) {
        ensureOpen();
        int purged = purgeHistory(connection -> purges.purgeChanges(connection, limit));
        return purged < limit
                ? purged + purgeHistory(connection -> purges.purgeGroups(connection, limit - purged))
                : purged;
    }

    private int purgeHistory(ConnectionWork<Integer> work) {
        return database.run(Request.read("purge.history", ""), purged -> purged, work);
    }

    @Override
    public void heartbeat(BrokerHeartbeat beat) {
        ensureOpen();
        database.run(
                Request.change("heartbeat", "broker " + beat.brokerId() + " of cluster " + beat.clusterId()),
                written -> written,
                connection -> startupChecks.beat(connection, beat));
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
    public void begin(String clusterId, String catalogueId) {
        ensureOpen();
        int unused = database.run(
                Request.change("progress.begin", clusterId),
                written -> written,
                connection -> progress.begin(connection, clusterId, catalogueId, Set.of()));
    }

    @Override
    public void putProgress(String clusterId, BrokerProgress of) {
        ensureOpen();
        int unused = database.run(
                Request.change("progress.put", "broker " + of.brokerId() + " of cluster " + clusterId),
                written -> written,
                connection -> progress.put(connection, clusterId, of));
    }

    @Override
    public void close() {
        pool.close();
    }

    private void ensureOpen() {
        if (pool.isClosed()) {
            throw Database.closed();
        }
    }
}
