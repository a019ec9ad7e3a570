package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.HighestItem;
import dev.shelfmark.dynamodb.items.HistoryItem;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.PartitionChange;
import dev.shelfmark.dynamodb.items.SegmentItem;
import dev.shelfmark.store.Retention;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * What a transaction does for a change of a partition: the head first, under the condition of its version, which fences every other
 * writer of the partition. New segments are put under the condition that they are new; the others need none.
 */
public final class ChangeActions {

    private static final String ABSENT = "attribute_not_exists(" + ItemKeys.PK + ")";

    private final String table;
    private final Clock clock;
    private final Retention retention;

    public ChangeActions(String table, Clock clock, Retention retention) {
        this.table = table;
        this.clock = clock;
        this.retention = retention;
    }

    /**
     * The actions of one change.
     *
     * @param commitId names the transaction
     * @param maxActions how many there may be; room for the head, the registry, the history and one item of highest offsets beside the
     *     segments
     */
    public List<TransactWriteItem> of(PartitionChange change, String commitId, int maxActions) {
        String partition = ItemKeys.partition(change.key());
        long version = change.head().version();
        boolean keepsSteps = retention.keepsHistory() && !change.steps().isEmpty();
        int marks = change.removed().isEmpty() ? 0 : 1;
        int others = 1
                + (change.first() ? 1 : 0)
                + (keepsSteps ? 1 : 0)
                + change.segments().size()
                + change.removed().size()
                + marks;
        Map<String, NavigableMap<Integer, Long>> highest =
                HighestItem.group(change.head().highestOffsets(), version, maxActions - others);

        List<TransactWriteItem> actions = new ArrayList<>();
        actions.add(head(partition, change, HeadItem.after(change, commitId, highest.size() + marks)));
        if (change.first()) {
            actions.add(put(registryItem(change), false));
        }
        highest.forEach(
                (sortKey, raised) -> actions.add(HighestItem.write(table, partition, sortKey, version, raised)));
        if (keepsSteps) {
            actions.add(put(
                    HistoryItem.of(
                            ItemKeys.history(change.key()),
                            version,
                            change.steps(),
                            clock.instant(),
                            expiry(retention.history())),
                    false));
        }
        long expiresAt = expiry(retention.deletedSegments());
        change.segments()
                .forEach(segment -> actions.add(put(
                        SegmentItem.of(partition, segment, expiresAt),
                        change.unseen().contains(segment.segmentId()))));
        change.removed().forEach(id -> actions.add(delete(ItemKeys.of(partition, ItemKeys.segment(id)))));
        if (marks > 0) {
            // What is gone shows no reader that it went between two of his requests.
            Map<String, AttributeValue> mark = new HashMap<>(ItemKeys.of(partition, ItemKeys.REMOVED));
            mark.put(ItemKeys.VERSION, AttributeValue.fromN(Long.toString(version)));
            actions.add(put(mark, false));
        }
        return actions;
    }

    private TransactWriteItem head(String partition, PartitionChange change, HeadItem head) {
        Put.Builder put = Put.builder()
                .tableName(table)
                .item(head.toItem(partition))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        if (change.first()) {
            put.conditionExpression(ABSENT);
        } else {
            put.conditionExpression(HeadItem.CURRENT_VERSION + " = :expected")
                    .expressionAttributeValues(
                            Map.of(":expected", AttributeValue.fromN(Long.toString(change.expectedVersion()))));
        }
        return TransactWriteItem.builder().put(put.build()).build();
    }

    private static Map<String, AttributeValue> registryItem(PartitionChange change) {
        Map<String, AttributeValue> item = new HashMap<>(
                ItemKeys.of(ItemKeys.registry(change.key().clusterId()), ItemKeys.registered(change.key())));
        item.put("topicNameAtFirst", AttributeValue.fromS(change.head().topicName()));
        return item;
    }

    private TransactWriteItem put(Map<String, AttributeValue> item, boolean ifAbsent) {
        return TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(table)
                        .item(item)
                        .conditionExpression(ifAbsent ? ABSENT : null)
                        .build())
                .build();
    }

    private TransactWriteItem delete(Map<String, AttributeValue> key) {
        return TransactWriteItem.builder()
                .delete(Delete.builder().tableName(table).key(key).build())
                .build();
    }

    /** By this machine's clock, since DynamoDB's time to live knows only moments that a writer names. */
    private long expiry(Duration kept) {
        long now = clock.instant().getEpochSecond();
        long seconds = Math.max(0, kept.toSeconds());
        return seconds > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + seconds;
    }
}
