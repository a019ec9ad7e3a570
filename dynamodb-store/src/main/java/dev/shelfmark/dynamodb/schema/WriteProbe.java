package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Requests.Answer;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Finds out whether we may write, without writing: a transaction of both kinds of action that commits use, under conditions that
 * are never met. Rights are checked before conditions are.
 */
public final class WriteProbe {

    private static final String NEVER = "attribute_exists(" + ItemKeys.PK + ")";

    private WriteProbe() {}

    public static void send(Table table, Deadline deadline) {
        TransactWriteItem put = TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(table.name())
                        .item(ItemKeys.of(ItemKeys.SHELFMARK, "probe-put"))
                        .conditionExpression(NEVER)
                        .build())
                .build();
        TransactWriteItem update = TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(table.name())
                        .key(ItemKeys.of(ItemKeys.SHELFMARK, "probe-update"))
                        .conditionExpression(NEVER)
                        .updateExpression("SET probe = :probe")
                        .expressionAttributeValues(Map.of(":probe", AttributeValue.fromBool(true)))
                        .build())
                .build();
        table.requests().send(Call.reading("verify", "check of rights", deadline), (client, limits, unused) -> {
            try {
                client.transactWriteItems(
                        request -> request.transactItems(put, update).overrideConfiguration(limits));
            } catch (TransactionCanceledException e) {
                if (!conditionsFailed(e.cancellationReasons())) {
                    throw e;
                }
            }
            return new Answer<>(true);
        });
    }

    private static boolean conditionsFailed(List<CancellationReason> reasons) {
        return reasons.stream().anyMatch(reason -> "ConditionalCheckFailed".equals(reason.code()));
    }
}
