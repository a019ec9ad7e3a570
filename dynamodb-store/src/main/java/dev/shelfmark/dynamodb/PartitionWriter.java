package dev.shelfmark.dynamodb;

import dev.shelfmark.dynamodb.Requests.Answer;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Commits: one transaction each, the head first.
 *
 * <p>The head's version is the only condition. It fences every other writer of the partition, so conditions on the segments could
 * only repeat what it says.
 *
 * <p>An attempt whose answer is lost is sent again with the same client token, for which DynamoDB applies it at most once within
 * ten minutes, far beyond a call's deadline. A failed condition after such an attempt can still be our own doing where the
 * token is not honoured, so DynamoDB is asked for the head that failed it:
 * <ul>
 *   <li>it names this commit: it was applied;
 *   <li>it is below this commit's version: neither attempt was, and none will be, since the condition is what failed;
 *   <li>it is at or above it, by another commit: that one may stand in our place or on top of us, so nobody can tell.
 * </ul>
 */
final class PartitionWriter {

    /** DynamoDB's limit on the actions of a transaction. */
    private static final int MAX_ACTIONS = 100;

    /** Leaves room for the head, the registry and two items of highest offsets. */
    static final int MAX_SEGMENTS = 96;

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private final Table table;
    private final Clock clock;
    private final Duration deletedSegmentRetention;

    PartitionWriter(Table table, Clock clock, Duration deletedSegmentRetention) {
        this.table = table;
        this.clock = clock;
        this.deletedSegmentRetention = deletedSegmentRetention;
    }

    CommitResult commit(PartitionKey key, PartitionCommit commit, Deadline deadline) {
        if (commit.segments().size() > MAX_SEGMENTS) {
            throw new StoreException.Unsupported(
                    "commit to " + key + ": " + commit.segments().size() + " segments in one commit; at most "
                            + MAX_SEGMENTS,
                    null);
        }
        String commitId = UUID.randomUUID().toString();
        List<TransactWriteItem> actions = actions(key, commit, commitId);
        Call call = Call.changing("commit", "commit to " + key, deadline);
        return table.requests().send(call, (client, limits, mayBeApplied) -> {
            try {
                return committed(client, limits, commitId, actions);
            } catch (TransactionCanceledException e) {
                return new Answer<>(refused(e, call, commit, commitId, mayBeApplied));
            }
        });
    }

    private static Answer<CommitResult> committed(
            DynamoDbClient client,
            Consumer<AwsRequestOverrideConfiguration.Builder> limits,
            String commitId,
            List<TransactWriteItem> actions) {
        TransactWriteItemsResponse response = client.transactWriteItems(request -> request.clientRequestToken(commitId)
                .transactItems(actions)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .overrideConfiguration(limits));
        double read = 0;
        double written = 0;
        for (ConsumedCapacity consumed : response.consumedCapacity()) {
            read += consumed.readCapacityUnits() == null ? 0 : consumed.readCapacityUnits();
            written += consumed.writeCapacityUnits() == null ? 0 : consumed.writeCapacityUnits();
        }
        return new Answer<>(new CommitResult.Committed(), actions.size(), read, written);
    }

    /** A cancellation for another reason than our condition is thrown on, for {@link Requests} to judge. */
    private static CommitResult refused(
            TransactionCanceledException cancelled,
            Call call,
            PartitionCommit commit,
            String commitId,
            boolean mayBeApplied) {
        CancellationReason ofHead = cancelled.cancellationReasons().stream()
                .findFirst()
                .filter(reason -> CONDITION_FAILED.equals(reason.code()))
                .orElseThrow(() -> cancelled);
        if (!ofHead.hasItem()) {
            return new CommitResult.VersionConflict();
        }
        HeadItem head = HeadItem.parse(new Item(ofHead.item()));
        if (head.lastCommit().equals(commitId)) {
            return new CommitResult.Committed();
        }
        if (mayBeApplied && head.version() >= commit.head().version()) {
            throw new StoreException.OutcomeUnknown(
                    call.about() + ": an earlier attempt got no answer, and the partition has moved on to version "
                            + head.version() + "; read it to see whether this commit is part of it",
                    cancelled);
        }
        return new CommitResult.VersionConflict();
    }

    private List<TransactWriteItem> actions(PartitionKey key, PartitionCommit commit, String commitId) {
        String partition = ItemKeys.partition(key);
        long version = commit.head().version();
        boolean first = commit.expectedVersion() == 0;
        int room = MAX_ACTIONS - 1 - (first ? 1 : 0) - commit.segments().size();
        Map<String, NavigableMap<Integer, Long>> highest =
                HighestItem.group(commit.head().highestOffsets(), version, room);

        List<TransactWriteItem> actions = new ArrayList<>();
        actions.add(head(partition, commit, HeadItem.after(commit, commitId, highest.size())));
        if (first) {
            actions.add(put(registryItem(key, commit.head().topicName())));
        }
        highest.forEach(
                (sortKey, raised) -> actions.add(HighestItem.write(table.name(), partition, sortKey, version, raised)));
        long expiresAt = expiry();
        commit.segments().forEach(segment -> actions.add(put(SegmentItem.of(partition, segment, expiresAt))));
        return actions;
    }

    private TransactWriteItem head(String partition, PartitionCommit commit, HeadItem head) {
        Put.Builder put = Put.builder()
                .tableName(table.name())
                .item(head.toItem(partition))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        if (commit.expectedVersion() == 0) {
            put.conditionExpression("attribute_not_exists(" + ItemKeys.PK + ")");
        } else {
            put.conditionExpression(HeadItem.CURRENT_VERSION + " = :expected")
                    .expressionAttributeValues(
                            Map.of(":expected", AttributeValue.fromN(Long.toString(commit.expectedVersion()))));
        }
        return TransactWriteItem.builder().put(put.build()).build();
    }

    private static Map<String, AttributeValue> registryItem(PartitionKey key, String topicName) {
        Map<String, AttributeValue> item =
                new HashMap<>(ItemKeys.of(ItemKeys.registry(key.clusterId()), ItemKeys.registered(key)));
        item.put("topicNameAtFirst", AttributeValue.fromS(topicName));
        return item;
    }

    private TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder().tableName(table.name()).item(item).build())
                .build();
    }

    /** By this machine's clock, since DynamoDB's time to live knows only moments that a writer names. */
    private long expiry() {
        long now = clock.instant().getEpochSecond();
        long retention = Math.max(0, deletedSegmentRetention.toSeconds());
        return retention > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + retention;
    }
}
