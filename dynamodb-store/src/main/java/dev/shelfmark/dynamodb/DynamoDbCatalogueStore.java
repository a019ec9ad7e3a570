package dev.shelfmark.dynamodb;

import dev.shelfmark.dynamodb.client.DynamoDbClients;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.client.Transactions;
import dev.shelfmark.dynamodb.cluster.ClusterTable;
import dev.shelfmark.dynamodb.cluster.HeartbeatTable;
import dev.shelfmark.dynamodb.cluster.ProgressTable;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.partition.ChangeActions;
import dev.shelfmark.dynamodb.partition.FullyVisibleVersions;
import dev.shelfmark.dynamodb.partition.PartitionReader;
import dev.shelfmark.dynamodb.partition.TransactionalCommit;
import dev.shelfmark.dynamodb.schema.TableSchema;
import dev.shelfmark.dynamodb.schema.WriteProbe;
import dev.shelfmark.retry.Deadline;
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
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The store on one DynamoDB table; {@link ItemKeys} draws what is in it. */
final class DynamoDbCatalogueStore implements CatalogueStore, ProgressKeeping {

    private final Table table;
    private final FullyVisibleVersions known = new FullyVisibleVersions();
    private final TransactionalCommit writer;
    private final ClusterTable clusters;
    private final HeartbeatTable heartbeats;
    private final ProgressTable progress;
    private final Duration callTimeout;
    private final Duration loadTimeout;

    private DynamoDbCatalogueStore(Table table, DynamoDbStoreConfig config, TransactionalCommit writer) {
        this.table = table;
        this.writer = writer;
        this.clusters = new ClusterTable(table);
        this.heartbeats = new HeartbeatTable(table);
        this.progress = new ProgressTable(table);
        this.callTimeout = config.duration(DynamoDbStoreConfig.CALL_TIMEOUT);
        this.loadTimeout = config.duration(DynamoDbStoreConfig.LOAD_TIMEOUT);
    }

    static DynamoDbCatalogueStore open(DynamoDbStoreConfig config, StoreContext context, DynamoDbClients clients) {
        Table table = new Table(config.table(), new Requests(clients, config, context.listener()));
        ChangeActions actions = new ChangeActions(table.name(), Clock.systemUTC(), context.retention());
        TransactionalCommit writer = new TransactionalCommit(new Transactions(table.requests()), actions);
        return new DynamoDbCatalogueStore(table, config, writer);
    }

    @Override
    public void verify() {
        known.forget();
        Deadline deadline = Deadline.in(callTimeout);
        TableSchema.require(table, deadline);
        WriteProbe.send(table, deadline);
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        return clusters.get(clusterId, Deadline.in(callTimeout));
    }

    @Override
    public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
        boolean large = selection instanceof Selection.All || selection instanceof Selection.ChangedSince;
        return new PartitionReader(table, known, key, Deadline.in(large ? loadTimeout : callTimeout))
                .read(selection, segments);
    }

    @Override
    public CommitResult commit(PartitionKey key, PartitionCommit commit) {
        CommitResult result = writer.commit(key, commit, Deadline.in(callTimeout));
        if (result instanceof CommitResult.Committed) {
            known.add(key, commit.head().version());
        }
        return result;
    }

    @Override
    public int maxSegmentsPerCommit() {
        return TransactionalCommit.MAX_SEGMENTS;
    }

    /** DynamoDB's time to live removes the records. */
    @Override
    public int purgeDeleted(String clusterId, int limit) {
        table.requests().ensureOpen("purge of deleted segments");
        return 0;
    }

    /** DynamoDB's time to live removes it. */
    @Override
    public int purgeHistory(int limit) {
        table.requests().ensureOpen("purge of the history");
        return 0;
    }

    @Override
    public void heartbeat(BrokerHeartbeat beat) {
        heartbeats.put(beat, Deadline.in(callTimeout));
    }

    @Override
    public Optional<CatalogueProgress> progress(String clusterId) {
        return progress.find(clusterId, Deadline.in(callTimeout));
    }

    @Override
    public void begin(String clusterId, String catalogueId) {
        boolean unused = progress.putId(clusterId, null, catalogueId, Set.of(), Deadline.in(callTimeout));
    }

    @Override
    public void putProgress(String clusterId, BrokerProgress of) {
        progress.put(clusterId, of, Deadline.in(callTimeout));
    }

    @Override
    public void close() {
        table.requests().close();
    }
}
