package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Transactions;
import dev.shelfmark.dynamodb.items.PartitionChange;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Commits: one transaction each. */
public final class TransactionalCommit {

    /** Leaves room for the head, the registry, the history and one item of highest offsets. */
    public static final int MAX_SEGMENTS = 96;

    private final Transactions transactions;
    private final ChangeActions actions;

    public TransactionalCommit(Transactions transactions, ChangeActions actions) {
        this.transactions = transactions;
        this.actions = actions;
    }

    public CommitResult commit(PartitionKey key, PartitionCommit commit, Deadline deadline) {
        if (commit.segments().size() > MAX_SEGMENTS) {
            throw new StoreException.Unsupported(
                    "commit to " + key + ": " + commit.segments().size() + " segments in one commit; at most "
                            + MAX_SEGMENTS,
                    null);
        }
        PartitionChange change = PartitionChange.of(key, commit);
        String commitId = UUID.randomUUID().toString();
        return transactions.send(
                Call.changing("commit", "commit to " + key, deadline),
                commitId,
                actions.of(change, commitId, Transactions.MAX_ACTIONS),
                new CommitResult.Committed(),
                (reasons, cancelled, mayBeApplied) -> {
                    if (reasons.isEmpty()) {
                        throw cancelled;
                    }
                    CancellationOutcome verdict =
                            CancellationOutcome.of(reasons.get(0), change, commitId, mayBeApplied);
                    boolean notNew = verdict == CancellationOutcome.MET
                            && reasons.stream()
                                    .map(CancellationReason::code)
                                    .anyMatch(CancellationOutcome.CONDITION_FAILED::equals);
                    CancellationOutcome taken =
                            mayBeApplied ? CancellationOutcome.UNKNOWN : CancellationOutcome.CONFLICT;
                    return result(notNew ? taken : verdict, change, cancelled);
                });
    }

    /** A cancellation for another reason than our condition is thrown on, for {@link Requests} to judge. */
    private static CommitResult result(
            CancellationOutcome verdict, PartitionChange change, TransactionCanceledException cancelled) {
        return switch (verdict) {
            case MET -> throw cancelled;
            case CONFLICT -> new CommitResult.VersionConflict();
            case APPLIED -> new CommitResult.Committed();
            case UNKNOWN -> throw movedOn(change.key(), cancelled);
        };
    }

    public static StoreException.OutcomeUnknown movedOn(PartitionKey key, TransactionCanceledException cancelled) {
        return new StoreException.OutcomeUnknown(
                "commit to " + key
                        + ": an earlier attempt got no answer, and the partition has moved on; read it to see"
                        + " whether this commit is part of it",
                cancelled);
    }
}
