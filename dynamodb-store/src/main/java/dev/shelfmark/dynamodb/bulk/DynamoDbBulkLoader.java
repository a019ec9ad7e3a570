package dev.shelfmark.dynamodb.bulk;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.client.Transactions;
import dev.shelfmark.dynamodb.items.ClusterItem;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.PartitionChange;
import dev.shelfmark.dynamodb.partition.CancellationOutcome;
import dev.shelfmark.dynamodb.partition.ChangeActions;
import dev.shelfmark.dynamodb.partition.TransactionalCommit;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.PartitionLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Brings history in. Every transaction begins with two actions of its own: the renewal of the claim, conditioned on its token, and
 * a check that the cluster is being imported. Several small loads share a transaction.
 */
public final class DynamoDbBulkLoader implements BulkLoader {

    /** Leaves room for claim, state, head, registry, progress, the mark of removed records and four items of highest offsets. */
    private static final int MAX_SEGMENTS = 90;

    /** Leaves room for everything else that so many segments have, and for their partition's own items. */
    private static final long MAX_BYTES = Transactions.FITTING_BYTES - 500_000;

    private static final int OWN_ACTIONS = 2;

    private final Table table;
    private final Transactions transactions;
    private final ChangeActions changes;
    private final ImportLock claim;
    private final ImportProgress ledger;
    private final String clusterId;
    private final ClusterState during;
    private final Duration callTimeout;

    public DynamoDbBulkLoader(
            Table table,
            ChangeActions changes,
            ImportLock claim,
            String clusterId,
            ClusterState during,
            Duration callTimeout) {
        this.table = table;
        this.transactions = new Transactions(table.requests());
        this.changes = changes;
        this.claim = claim;
        this.ledger = new ImportProgress(table, clusterId);
        this.clusterId = clusterId;
        this.during = during;
        this.callTimeout = callTimeout;
    }

    /** The registry knows every partition that was ever written. */
    @Override
    public boolean empty() {
        return table.first(
                        Call.reading("import.read", "registry of cluster " + clusterId, Deadline.in(callTimeout)),
                        1,
                        request -> request.keyConditionExpression("pk = :pk")
                                .expressionAttributeValues(
                                        Map.of(":pk", AttributeValue.fromS(ItemKeys.registry(clusterId)))))
                .isEmpty();
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints() {
        return ledger.checkpoints(Deadline.in(callTimeout));
    }

    @Override
    public Map<PartitionKey, Progress> progress(int source) {
        return ledger.progress(source, Deadline.in(callTimeout));
    }

    @Override
    public int maxSegmentsPerLoad() {
        return MAX_SEGMENTS;
    }

    @Override
    public long maxBytesPerLoad() {
        return MAX_BYTES;
    }

    @Override
    public LoadResult load(List<PartitionLoad> loads) {
        Batch batch = new Batch();
        for (PartitionLoad load : loads) {
            if (load.size() > MAX_SEGMENTS) {
                throw new StoreException.Unsupported(
                        "load of " + load.key() + ": " + load.size() + " segments in one load; at most " + MAX_SEGMENTS,
                        null);
            }
            if (!batch.add(load)) {
                LoadResult result = batch.send();
                if (result != LoadResult.LOADED) {
                    return result;
                }
                batch = new Batch();
                batch.add(load);
            }
        }
        return batch.send();
    }

    /** Loads of different partitions that fit into one transaction. */
    private final class Batch {

        private final String commitId = UUID.randomUUID().toString();
        private final Deadline deadline = Deadline.in(callTimeout);
        private final List<TransactWriteItem> actions = new ArrayList<>(permission());
        private final Set<PartitionKey> keys = new HashSet<>();
        private final List<PartitionChange> heads = new ArrayList<>();
        private final List<Integer> headActions = new ArrayList<>();
        private long bytes;

        /** False when there is no room for it; the first always has room. */
        boolean add(PartitionLoad load) {
            if (keys.contains(load.key())) {
                return false;
            }
            PartitionChange change = PartitionChange.of(load);
            int room = Transactions.MAX_ACTIONS - OWN_ACTIONS - 1;
            List<TransactWriteItem> own = changes.of(change, commitId, room);
            if (actions.size() + own.size() + 1 > Transactions.MAX_ACTIONS) {
                return false;
            }
            TransactWriteItem progress = ledger.put(load, deadline);
            long more = Transactions.bytes(own) + Transactions.bytes(List.of(progress));
            if (!heads.isEmpty() && bytes + more > Transactions.FITTING_BYTES) {
                return false;
            }
            bytes += more;
            keys.add(load.key());
            heads.add(change);
            headActions.add(actions.size());
            actions.addAll(own);
            actions.add(progress);
            return true;
        }

        LoadResult send() {
            if (heads.isEmpty()) {
                return LoadResult.LOADED;
            }
            String about =
                    "load of " + heads.get(0).key() + (heads.size() > 1 ? " and " + (heads.size() - 1) + " more" : "");
            return transactions.send(
                    Call.changing("import.load", about, deadline), commitId, actions, LoadResult.LOADED, this::judge);
        }

        private LoadResult judge(
                List<CancellationReason> reasons, TransactionCanceledException cancelled, boolean mayBeApplied) {
            boolean conflict = false;
            for (int i = 0; i < heads.size(); i++) {
                CancellationOutcome verdict = reasons.isEmpty()
                        ? CancellationOutcome.MET
                        : CancellationOutcome.of(reasons.get(headActions.get(i)), heads.get(i), commitId, mayBeApplied);
                if (verdict == CancellationOutcome.APPLIED) {
                    return LoadResult.LOADED;
                }
                if (verdict == CancellationOutcome.UNKNOWN) {
                    throw TransactionalCommit.movedOn(heads.get(i).key(), cancelled);
                }
                conflict |= verdict == CancellationOutcome.CONFLICT;
            }
            return conflict && permitted(reasons) ? LoadResult.VERSION_CONFLICT : refusal(reasons, cancelled);
        }
    }

    @Override
    public LoadResult checkpoint(int source, Checkpoint checkpoint) {
        Deadline deadline = Deadline.in(callTimeout);
        ledger.sweep(source, deadline);
        List<TransactWriteItem> actions = new ArrayList<>(permission());
        actions.add(ledger.put(source, checkpoint, deadline));
        LoadResult result;
        try {
            result = send("import.checkpoint", "checkpoint of source " + source, actions, deadline);
        } catch (StoreException.OutcomeUnknown e) {
            ledger.forgetGenerations();
            throw e;
        }
        if (result == LoadResult.LOADED) {
            ledger.checkpointed(source, Deadline.in(callTimeout));
        }
        return result;
    }

    @Override
    public LoadResult renew() {
        return send("import.renew", "renewal of the claim", permission(), Deadline.in(callTimeout));
    }

    private LoadResult send(String operation, String what, List<TransactWriteItem> actions, Deadline deadline) {
        return transactions.send(
                Call.changing(operation, what + " to import cluster " + clusterId, deadline),
                UUID.randomUUID().toString(),
                actions,
                LoadResult.LOADED,
                (reasons, cancelled, unused) -> refusal(reasons, cancelled));
    }

    /** The claim, then the state. */
    private List<TransactWriteItem> permission() {
        ConditionCheck inState = ConditionCheck.builder()
                .tableName(table.name())
                .key(ItemKeys.of(ItemKeys.CLUSTERS, ItemKeys.cluster(clusterId)))
                .conditionExpression("#state = :during")
                .expressionAttributeNames(Map.of("#state", ClusterItem.STATE))
                .expressionAttributeValues(Map.of(":during", AttributeValue.fromS(during.name())))
                .build();
        return List.of(
                claim.renewal(),
                TransactWriteItem.builder().conditionCheck(inState).build());
    }

    private static boolean permitted(List<CancellationReason> reasons) {
        return reasons.subList(0, OWN_ACTIONS).stream()
                .noneMatch(reason -> CancellationOutcome.CONDITION_FAILED.equals(reason.code()));
    }

    /** A cancellation for another reason is thrown on, for {@link Requests} to judge. */
    private static LoadResult refusal(List<CancellationReason> reasons, TransactionCanceledException cancelled) {
        if (reasons.size() < OWN_ACTIONS || permitted(reasons)) {
            throw cancelled;
        }
        return CancellationOutcome.CONDITION_FAILED.equals(reasons.get(0).code())
                ? LoadResult.CLAIM_LOST
                : LoadResult.NOT_IMPORTING;
    }

    @Override
    public void close() {
        claim.release(Deadline.in(callTimeout));
    }
}
