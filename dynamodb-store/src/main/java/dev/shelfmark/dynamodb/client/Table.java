package dev.shelfmark.dynamodb.client;

import dev.shelfmark.dynamodb.client.Requests.Answer;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Reads and plain deletions of our one table. Every read is strongly consistent and asks what it cost; whatever comes in pages is drained. */
public final class Table {

    /** DynamoDB's limit on one batch of keys. */
    private static final int BATCH = 100;

    /** DynamoDB's limit on one batch of writes. */
    private static final int WRITE_BATCH = 25;

    private final String name;
    private final Requests requests;

    public Table(String name, Requests requests) {
        this.name = name;
        this.requests = requests;
    }

    public String name() {
        return name;
    }

    public Requests requests() {
        return requests;
    }

    public Optional<Item> get(Call call, String pk, String sk) {
        return requests.send(call, (client, limits, unused) -> {
            GetItemResponse response = client.getItem(request -> request.tableName(name)
                    .key(ItemKeys.of(pk, sk))
                    .consistentRead(true)
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                    .overrideConfiguration(limits));
            Optional<Item> item = response.hasItem() ? Optional.of(new Item(response.item())) : Optional.empty();
            return new Answer<>(item, item.isPresent() ? 1 : 0, units(response.consumedCapacity()), 0);
        });
    }

    /**
     * Hands over everything that a query finds, page by page.
     *
     * @param query what to ask for; the table, consistency and pages are added here
     */
    public void query(Call call, Consumer<QueryRequest.Builder> query, Consumer<Item> items) {
        Map<String, AttributeValue> last = Map.of();
        do {
            QueryResponse page = page(call, query, last);
            page.items().forEach(item -> items.accept(new Item(item)));
            last = page.lastEvaluatedKey();
        } while (!last.isEmpty());
    }

    /**
     * A part of what a query finds.
     *
     * @param items what it holds; may be none although it is not the last
     * @param last the key behind which the next part begins; empty when there is none
     */
    public record Part(List<Item> items, Map<String, AttributeValue> last) {

        /** An attribute of the key behind which the next part begins, or null when this is the last. */
        @Nullable
        public String next(String attribute) {
            AttributeValue value = last.get(attribute);
            return value == null ? null : value.s();
        }
    }

    /**
     * One page of what a query finds.
     *
     * @param limit how many items it looks at, at most
     * @param after the key behind which it begins; empty for the first
     */
    public Part part(Call call, int limit, Map<String, AttributeValue> after, Consumer<QueryRequest.Builder> query) {
        QueryResponse page = page(call, query.andThen(request -> request.limit(limit)), after);
        return new Part(page.items().stream().map(Item::new).toList(), page.lastEvaluatedKey());
    }

    /** The first so many items that a query finds, in its order. */
    public List<Item> first(Call call, int limit, Consumer<QueryRequest.Builder> query) {
        List<Item> found = new ArrayList<>();
        Map<String, AttributeValue> last = Map.of();
        do {
            // The limit counts items before the filter, so that a page may bring none and still not be the last.
            QueryResponse page = page(call, query.andThen(request -> request.limit(limit)), last);
            page.items().forEach(item -> found.add(new Item(item)));
            last = page.lastEvaluatedKey();
        } while (!last.isEmpty() && found.size() < limit);
        return found.subList(0, Math.min(limit, found.size()));
    }

    private QueryResponse page(Call call, Consumer<QueryRequest.Builder> query, Map<String, AttributeValue> after) {
        return requests.send(call, (client, limits, unused) -> {
            QueryRequest.Builder request = QueryRequest.builder();
            query.accept(request);
            request.tableName(name)
                    .consistentRead(true)
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                    .overrideConfiguration(limits);
            if (!after.isEmpty()) {
                request.exclusiveStartKey(after);
            }
            QueryResponse response = client.query(request.build());
            return new Answer<>(response, response.count(), units(response.consumedCapacity()), 0);
        });
    }

    /** The items of these keys that exist, in no order. */
    public List<Item> batch(Call call, String pk, Collection<String> sortKeys) {
        return batch(call, sortKeys.stream().map(sk -> ItemKeys.of(pk, sk)).toList());
    }

    /** The items of these keys that exist, in no order. */
    public List<Item> batch(Call call, List<Map<String, AttributeValue>> keys) {
        List<Item> found = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<Map<String, AttributeValue>> open = keys.subList(from, Math.min(from + BATCH, keys.size()));
            for (int attempts = 0; !open.isEmpty(); attempts++) {
                pauseBeforeRest(call, attempts);
                open = part(call, open, found);
            }
        }
        return found;
    }

    /** What DynamoDB left open for lack of throughput comes after a pause. */
    private void pauseBeforeRest(Call call, int attempts) {
        if (attempts > 0 && !requests.pause(call.deadline(), attempts)) {
            throw new StoreException.Unavailable(
                    call.about() + " in DynamoDB table " + name
                            + ": keys are left unprocessed for lack of throughput; look at"
                            + " the table's throttling metrics and limits",
                    null);
        }
    }

    /** Adds what is found; what is left open. */
    private List<Map<String, AttributeValue>> part(
            Call call, List<Map<String, AttributeValue>> keys, List<Item> found) {
        BatchGetItemResponse response = requests.send(call, (client, limits, unused) -> {
            BatchGetItemResponse part = client.batchGetItem(request -> request.requestItems(Map.of(
                            name,
                            KeysAndAttributes.builder()
                                    .keys(keys)
                                    .consistentRead(true)
                                    .build()))
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                    .overrideConfiguration(limits));
            double units =
                    part.consumedCapacity().stream().mapToDouble(Table::units).sum();
            return new Answer<>(part, ofOurs(part.responses()).count(), units, 0);
        });
        ofOurs(response.responses()).forEach(item -> found.add(new Item(item)));
        return response.unprocessedKeys().values().stream()
                .flatMap(rest -> rest.keys().stream())
                .toList();
    }

    /** A batch asks one table only, which DynamoDB may name in its answer by the ARN or by the name, however it was named to it. */
    private static <T> Stream<T> ofOurs(Map<String, List<T>> byTable) {
        return byTable.values().stream().flatMap(List::stream);
    }

    /** Takes the items of these keys away, one batch after another; not as one change. */
    public void delete(Call call, String pk, Collection<String> sortKeys) {
        List<WriteRequest> deletions = sortKeys.stream()
                .map(sk -> WriteRequest.builder()
                        .deleteRequest(deletion -> deletion.key(ItemKeys.of(pk, sk)))
                        .build())
                .toList();
        for (int from = 0; from < deletions.size(); from += WRITE_BATCH) {
            List<WriteRequest> open = deletions.subList(from, Math.min(from + WRITE_BATCH, deletions.size()));
            for (int attempts = 0; !open.isEmpty(); attempts++) {
                pauseBeforeRest(call, attempts);
                open = write(call, open);
            }
        }
    }

    private List<WriteRequest> write(Call call, List<WriteRequest> writes) {
        return requests.send(call, (client, limits, unused) -> {
            BatchWriteItemResponse part = client.batchWriteItem(request -> request.requestItems(Map.of(name, writes))
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                    .overrideConfiguration(limits));
            double units =
                    part.consumedCapacity().stream().mapToDouble(Table::units).sum();
            List<WriteRequest> rest = ofOurs(part.unprocessedItems()).toList();
            return new Answer<>(rest, writes.size() - rest.size(), 0, units);
        });
    }

    /** Of a request that only reads or only writes. */
    private static double units(ConsumedCapacity consumed) {
        return consumed == null || consumed.capacityUnits() == null ? 0 : consumed.capacityUnits();
    }
}
