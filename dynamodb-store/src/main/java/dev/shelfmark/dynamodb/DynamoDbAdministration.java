package dev.shelfmark.dynamodb;

import dev.shelfmark.dynamodb.bulk.DynamoDbBulkLoader;
import dev.shelfmark.dynamodb.bulk.ImportLock;
import dev.shelfmark.dynamodb.bulk.ImportProgress;
import dev.shelfmark.dynamodb.client.DynamoDbClients;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.cluster.ClusterTable;
import dev.shelfmark.dynamodb.cluster.HeartbeatTable;
import dev.shelfmark.dynamodb.cluster.ProgressTable;
import dev.shelfmark.dynamodb.partition.ChangeActions;
import dev.shelfmark.dynamodb.schema.AccessPolicies;
import dev.shelfmark.dynamodb.schema.TableAdmin;
import dev.shelfmark.dynamodb.schema.TableLayout;
import dev.shelfmark.dynamodb.schema.TableSchema;
import dev.shelfmark.dynamodb.schema.TableSetting;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Creates the table, brings it up to date and keeps the clusters' records. */
final class DynamoDbAdministration implements StoreAdministration, BulkLoading, ProgressAcceptance {

    private final DynamoDbStoreConfig config;
    private final Requests requests;
    private final Table table;
    private final ClusterTable clusters;
    private final HeartbeatTable heartbeats;
    private final ProgressTable progress;
    private final ChangeActions changes;
    private final Clock clock;

    private DynamoDbAdministration(DynamoDbStoreConfig config, Requests requests, Clock clock, Retention retention) {
        this.config = config;
        this.clock = clock;
        this.changes = new ChangeActions(config.table(), clock, retention);
        this.requests = requests;
        this.table = new Table(config.table(), requests);
        this.clusters = new ClusterTable(table);
        this.heartbeats = new HeartbeatTable(table);
        this.progress = new ProgressTable(table);
    }

    static DynamoDbAdministration open(DynamoDbStoreConfig config, StoreContext context, DynamoDbClients clients) {
        return new DynamoDbAdministration(
                config, new Requests(clients, config, context.listener()), Clock.systemUTC(), context.retention());
    }

    @Override
    public List<String> migrate() {
        Deadline deadline = Deadline.in(config.duration(DynamoDbStoreConfig.MIGRATE_TIMEOUT));
        TableAdmin owner = new TableAdmin(config.table(), requests, deadline);
        List<String> done = new ArrayList<>();
        boolean create = owner.describe().isEmpty();
        if (create) {
            owner.create(TableLayout.create(config));
            done.add("created table " + config.table() + " in " + config.region() + ", billed "
                    + (config.provisioned() ? "by provisioned units" : "on demand"));
        }
        TableDescription description = owner.awaitActive();
        ensureFits(description);
        if (schema(deadline).isEmpty()) {
            owner.sign(TableSchema.CURRENT);
            done.add("wrote schema version " + TableSchema.SUPPORTED);
        }
        schema(deadline).ifPresent(this::ensureNotNewer);
        apply(TableSetting.all(config, owner), done);
        return done;
    }

    /** What the endpoint does not offer is only worth a line when there is something else to tell: it would be told each time. */
    private static void apply(List<TableSetting> steps, List<String> done) {
        List<String> notOffered = new ArrayList<>();
        for (TableSetting step : steps) {
            try {
                if (!step.done().getAsBoolean()) {
                    step.apply().run();
                    done.add("switched on " + step.name());
                }
            } catch (TableAdmin.NotOffered e) {
                notOffered.add("NOT switched on: " + step.name()
                        + ". This endpoint does not offer it; if it is an emulator, that is all right");
            }
        }
        if (!done.isEmpty()) {
            done.addAll(notOffered);
        }
    }

    @Override
    public SchemaStatus schema() {
        Deadline deadline = callDeadline();
        TableAdmin owner = new TableAdmin(config.table(), requests, deadline);
        List<String> pending = new ArrayList<>();
        Optional<TableDescription> description = owner.describe();
        if (description.isEmpty()) {
            pending.add("create table " + config.table() + " in " + config.region());
            return new SchemaStatus(0, TableSchema.SUPPORTED, pending);
        }
        if (description.get().tableStatus() == TableStatus.CREATING) {
            pending.add("wait for table " + config.table() + " to become active");
            return new SchemaStatus(0, TableSchema.SUPPORTED, pending);
        }
        ensureFits(description.get());
        int current = schema(deadline).map(TableSchema::version).orElse(0);
        if (current == 0) {
            pending.add("write schema version " + TableSchema.SUPPORTED);
        }
        TableSetting.all(config, owner).stream()
                .filter(DynamoDbAdministration::due)
                .forEach(step -> pending.add("switch on " + step.name()));
        return new SchemaStatus(current, TableSchema.SUPPORTED, pending);
    }

    @Override
    public List<String> rights() {
        TableAdmin owner = new TableAdmin(config.table(), requests, callDeadline());
        return AccessPolicies.lines(owner.awaitActive().tableArn());
    }

    private static boolean due(TableSetting step) {
        try {
            return !step.done().getAsBoolean();
        } catch (TableAdmin.NotOffered e) {
            return false;
        }
    }

    private Optional<TableSchema> schema(Deadline deadline) {
        return TableSchema.read(table, deadline);
    }

    private void ensureFits(TableDescription description) {
        if (!TableLayout.fits(description)) {
            throw new StoreException.SchemaMismatch(
                    "DynamoDB table " + config.table()
                            + " is not Shelfmark's: its keys or local indexes are others; name" + " another one in "
                            + DynamoDbStoreConfig.TABLE,
                    null);
        }
    }

    private void ensureNotNewer(TableSchema schema) {
        if (schema.version() > TableSchema.SUPPORTED) {
            throw new StoreException.SchemaMismatch(
                    "DynamoDB table " + config.table() + " is of schema version " + schema.version()
                            + ", this build of " + TableSchema.SUPPORTED + "; use a newer build",
                    null);
        }
    }

    @Override
    public List<ClusterRecord> clusters() {
        return clusters.list(callDeadline());
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        return clusters.get(clusterId, callDeadline());
    }

    @Override
    public boolean putCluster(ClusterRecord next) {
        return clusters.put(next, callDeadline());
    }

    @Override
    public List<BrokerHeartbeat> heartbeats(String clusterId) {
        return heartbeats.list(clusterId, callDeadline());
    }

    @Override
    public Optional<CatalogueProgress> progress(String clusterId) {
        return progress.find(clusterId, callDeadline());
    }

    @Override
    public boolean accept(String clusterId, Optional<String> current, String next, Set<String> replaces) {
        return progress.putId(clusterId, current.orElse(null), next, replaces, callDeadline());
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints(String clusterId) {
        return new ImportProgress(table, clusterId).checkpoints(callDeadline());
    }

    @Override
    public LoadClaim claimLoad(String clusterId, ClusterState during, String holder, Duration term) {
        String token = UUID.randomUUID().toString();
        ImportLock claim = new ImportLock(table, clock, clusterId, token, term);
        return claim.take(holder, callDeadline())
                .<LoadClaim>map(other -> new LoadClaim.Held(other.holder(), other.until()))
                .orElseGet(() -> new LoadClaim.Granted(
                        new DynamoDbBulkLoader(table, changes, claim, clusterId, during, callTimeout())));
    }

    private Duration callTimeout() {
        return config.duration(DynamoDbStoreConfig.CALL_TIMEOUT);
    }

    private Deadline callDeadline() {
        return Deadline.in(callTimeout());
    }

    @Override
    public void close() {
        requests.close();
    }
}
