package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.PartitionChange;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;

/**
 * What a cancelled transaction says about a head that it wanted to change.
 *
 * <p>A failed condition after an attempt whose answer was lost can be our own doing where the client token is not honoured, so
 * DynamoDB is asked for the head that failed it:
 * <ul>
 *   <li>it names this commit: it was applied;
 *   <li>it is below this commit's version: no attempt was applied, and none will be, since the condition is what failed;
 *   <li>it is at or above it, by another commit: that one may stand in our place or on top of us, so nobody can tell.
 * </ul>
 */
public enum CancellationOutcome {
    /** The head was not the reason. */
    MET,
    /** The partition is at another version. */
    CONFLICT,
    /** An earlier attempt at this commit was applied. */
    APPLIED,
    /** An earlier attempt may have been applied. */
    UNKNOWN;

    public static final String CONDITION_FAILED = "ConditionalCheckFailed";

    public static CancellationOutcome of(
            CancellationReason reason, PartitionChange change, String commitId, boolean mayBeApplied) {
        if (!CONDITION_FAILED.equals(reason.code())) {
            return MET;
        }
        if (!reason.hasItem()) {
            return CONFLICT;
        }
        HeadItem head = HeadItem.parse(new Item(reason.item()));
        if (head.lastCommit().equals(commitId)) {
            return APPLIED;
        }
        return mayBeApplied && head.version() >= change.head().version() ? UNKNOWN : CONFLICT;
    }
}
