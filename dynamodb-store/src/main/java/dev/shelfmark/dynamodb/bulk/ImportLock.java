package dev.shelfmark.dynamodb.bulk;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Requests.Answer;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The claim to bring a cluster's history in.
 *
 * <pre>
 * pk           "import#lkc-1"
 * sk           "CLAIM"
 * token        "1b4e28ba-2fa1-11d2-883f-0016d3cca427", the claim's own id, which every change of its holder is conditioned on
 * holder       "anna on host-1"
 * heldUntilMs  1767225600000
 * </pre>
 *
 * <p>DynamoDB tells nobody its clock in a condition, so a claim ends by the clock of who wants it next. A clock that is ahead takes a
 * claim over early, and harms nobody: the token fences the former holder.
 */
public final class ImportLock {

    private static final String TOKEN = "token";
    private static final String HOLDER = "holder";
    private static final String HELD_UNTIL = "heldUntilMs";

    private final Table table;
    private final Clock clock;
    private final String clusterId;
    private final String token;
    private final Duration term;

    public ImportLock(Table table, Clock clock, String clusterId, String token, Duration term) {
        this.table = table;
        this.clock = clock;
        this.clusterId = clusterId;
        this.token = token;
        this.term = term;
    }

    /** Somebody else's claim. */
    public record Other(String holder, Instant until) {}

    /** Takes the claim, or tells who has it. */
    public Optional<Other> take(String holder, Deadline deadline) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(ItemKeys.imports(clusterId), ItemKeys.CLAIM));
        item.put(TOKEN, AttributeValue.fromS(token));
        item.put(HOLDER, AttributeValue.fromS(holder));
        item.put(HELD_UNTIL, until());
        Call call = Call.changing("import.claim", "claim to import cluster " + clusterId, deadline);
        return table.requests().send(call, (client, limits, unused) -> {
            try {
                client.putItem(request -> request.tableName(table.name())
                        .item(item)
                        .conditionExpression("attribute_not_exists(pk) OR heldUntilMs < :now OR #token = :token")
                        .expressionAttributeNames(Map.of("#token", TOKEN))
                        .expressionAttributeValues(
                                Map.of(":now", number(clock.millis()), ":token", AttributeValue.fromS(token)))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .overrideConfiguration(limits));
                return new Answer<>(Optional.empty());
            } catch (ConditionalCheckFailedException e) {
                return new Answer<>(Optional.of(other(call, e)));
            }
        });
    }

    private static Other other(Call call, ConditionalCheckFailedException failed) {
        if (!failed.hasItem()) {
            throw new StoreException.Unavailable(call.about() + ": somebody else holds it; try again", failed);
        }
        Item item = new Item(failed.item());
        return new Other(item.text(HOLDER), Instant.ofEpochMilli(item.number(HELD_UNTIL)));
    }

    /** Renews the claim as part of a transaction, which fails when it is another's. */
    TransactWriteItem renewal() {
        Update update = Update.builder()
                .tableName(table.name())
                .key(ItemKeys.of(ItemKeys.imports(clusterId), ItemKeys.CLAIM))
                .updateExpression("SET heldUntilMs = :until")
                .conditionExpression("#token = :token")
                .expressionAttributeNames(Map.of("#token", TOKEN))
                .expressionAttributeValues(Map.of(":until", until(), ":token", AttributeValue.fromS(token)))
                .build();
        return TransactWriteItem.builder().update(update).build();
    }

    /** Gives it back unless it is another's by now. */
    void release(Deadline deadline) {
        Call call = Call.changing("import.claim", "release of the claim to import cluster " + clusterId, deadline);
        table.requests().send(call, (client, limits, unused) -> {
            try {
                client.deleteItem(request -> request.tableName(table.name())
                        .key(ItemKeys.of(ItemKeys.imports(clusterId), ItemKeys.CLAIM))
                        .conditionExpression("#token = :token")
                        .expressionAttributeNames(Map.of("#token", TOKEN))
                        .expressionAttributeValues(Map.of(":token", AttributeValue.fromS(token)))
                        .overrideConfiguration(limits));
                return new Answer<>(true);
            } catch (ConditionalCheckFailedException anothersByNow) {
                return new Answer<>(false);
            }
        });
    }

    private AttributeValue until() {
        return number(clock.instant().plus(term).toEpochMilli());
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
