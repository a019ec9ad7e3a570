package dev.shelfmark.dynamodb.client;

import dev.shelfmark.dynamodb.client.Requests.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends transactions. An attempt whose answer is lost is sent again with the same client token, for which DynamoDB applies it at
 * most once within ten minutes, far beyond a call's deadline.
 */
public final class Transactions {

    /** DynamoDB's limit on the actions of a transaction. */
    public static final int MAX_ACTIONS = 100;

    /** What surely fits: DynamoDB takes 4 MB of items in a transaction, and counts by rules of its own. */
    public static final long FITTING_BYTES = 3_500_000;

    /** About what DynamoDB counts for every attribute, beside its name and its value. */
    private static final int OVERHEAD = 4;

    private final Requests requests;

    public Transactions(Requests requests) {
        this.requests = requests;
    }

    /** Judges a cancelled transaction. */
    @FunctionalInterface
    public interface Judge<R> {
        /**
         * What the reasons mean for the caller.
         *
         * @param reasons one for each action
         * @param cancelled to throw when they mean nothing to the caller, such as throttling
         * @param mayBeApplied whether an earlier attempt may have been applied
         */
        R judge(List<CancellationReason> reasons, TransactionCanceledException cancelled, boolean mayBeApplied);
    }

    public <R> R send(Call call, String token, List<TransactWriteItem> actions, R applied, Judge<R> judge) {
        return requests.send(call, (client, limits, mayBeApplied) -> {
            try {
                TransactWriteItemsResponse response =
                        client.transactWriteItems(request -> request.clientRequestToken(token)
                                .transactItems(actions)
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                                .overrideConfiguration(limits));
                return answer(response, applied, actions.size());
            } catch (TransactionCanceledException e) {
                return new Answer<>(judge.judge(e.cancellationReasons(), e, mayBeApplied));
            }
        });
    }

    /** How large these actions' items are, rather counted too high. */
    public static long bytes(List<TransactWriteItem> actions) {
        return actions.stream().mapToLong(Transactions::bytes).sum();
    }

    private static long bytes(TransactWriteItem action) {
        if (action.put() != null) {
            return bytes(action.put().item());
        }
        return action.update() == null
                ? 0
                : bytes(action.update().key()) + bytes(action.update().expressionAttributeValues());
    }

    private static long bytes(Map<String, AttributeValue> attributes) {
        return attributes.entrySet().stream()
                .mapToLong(each -> OVERHEAD + utf8Bytes(each.getKey()) + bytes(each.getValue()))
                .sum();
    }

    private static long bytes(AttributeValue value) {
        if (value.hasM()) {
            return OVERHEAD + bytes(value.m());
        } else if (value.hasL()) {
            return OVERHEAD
                    + value.l().stream()
                            .mapToLong(each -> OVERHEAD + bytes(each))
                            .sum();
        } else if (value.b() != null) {
            return value.b().asByteArrayUnsafe().length;
        } else if (value.s() != null) {
            return utf8Bytes(value.s());
        }
        return value.n() == null ? 1 : value.n().length() + 1L;
    }

    private static long utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** A repeat of what was applied is billed as a read. */
    private static <R> Answer<R> answer(TransactWriteItemsResponse response, R applied, int rows) {
        double read = 0;
        double written = 0;
        for (ConsumedCapacity consumed : response.consumedCapacity()) {
            read += consumed.readCapacityUnits() == null ? 0 : consumed.readCapacityUnits();
            written += consumed.writeCapacityUnits() == null ? 0 : consumed.writeCapacityUnits();
        }
        return new Answer<>(applied, rows, read, written);
    }
}
