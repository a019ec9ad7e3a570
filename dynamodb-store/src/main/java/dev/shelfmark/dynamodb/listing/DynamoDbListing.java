package dev.shelfmark.dynamodb.listing;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.DynamoDbClients;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.cluster.ClusterTable;
import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.HistoryItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.SegmentItem;
import dev.shelfmark.dynamodb.schema.TableSchema;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Listings on DynamoDB, without any scan: partitions from the registry, with their heads in batches; live segments from the index that
 * sorts them; deleted ones from the partition's own items, of which the live ones are read over.
 *
 * <p>Reads are strongly consistent: they cost twice the half cent that a million segments would cost otherwise, and what is concluded
 * from a listing may be that something can be deleted.
 */
public final class DynamoDbListing implements CatalogueListing {

    /** A new partition's registry and head are of one transaction, whose items appear within milliseconds of each other. */
    private static final int LOOKS_FOR_HEADS = 4;

    private final Table table;
    private final ClusterTable clusters;
    private final Duration callTimeout;

    private DynamoDbListing(Table table, Duration callTimeout) {
        this.table = table;
        this.clusters = new ClusterTable(table);
        this.callTimeout = callTimeout;
    }

    public static DynamoDbListing open(DynamoDbStoreConfig config, StoreContext context, DynamoDbClients clients) {
        Table table = new Table(config.table(), new Requests(clients, config, context.listener()));
        return new DynamoDbListing(table, config.duration(DynamoDbStoreConfig.CALL_TIMEOUT));
    }

    @Override
    public void verify() {
        TableSchema.require(table, Deadline.in(callTimeout));
    }

    @Override
    public List<ClusterRecord> clusters() {
        return clusters.list(Deadline.in(callTimeout));
    }

    @Override
    public Page<PartitionSummary> partitions(String clusterId, @Nullable String after, int limit) {
        String registry = ItemKeys.registry(ItemKeys.cluster(clusterId));
        Call call = Call.reading(
                "list.partitions", "listing of the partitions of cluster " + clusterId, Deadline.in(callTimeout));
        Table.Part part = table.part(
                call,
                size(limit),
                after == null ? Map.of() : ItemKeys.of(registry, after),
                request -> request.keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(registry))));
        return new Page<>(summaries(call, clusterId, part.items()), part.next(ItemKeys.SK));
    }

    private List<Listed<PartitionSummary>> summaries(Call call, String clusterId, List<Item> registered) {
        List<Listed<PartitionSummary>> summaries = new ArrayList<>();
        Map<Integer, PartitionKey> keys = new HashMap<>();
        for (Item item : registered) {
            try {
                keys.put(summaries.size(), ItemKeys.registered(clusterId, item.sortKey()));
                summaries.add(new Unreadable<>(item.sortKey(), "it is registered, but has no head"));
            } catch (IllegalArgumentException e) {
                summaries.add(new Unreadable<>(item.sortKey(), String.valueOf(e.getMessage())));
            }
        }
        for (int looks = 1; !keys.isEmpty() && looks <= LOOKS_FOR_HEADS; looks++) {
            if (looks > 1 && !table.requests().pause(call.deadline(), looks)) {
                break;
            }
            Map<String, Item> heads = heads(call, keys.values().stream().toList());
            keys.entrySet().removeIf(entry -> {
                Item head = heads.get(ItemKeys.partition(entry.getValue()));
                if (head != null) {
                    summaries.set(entry.getKey(), summary(entry.getValue(), head));
                }
                return head != null;
            });
        }
        return summaries;
    }

    private Map<String, Item> heads(Call call, List<PartitionKey> partitions) {
        List<Map<String, AttributeValue>> keys = partitions.stream()
                .map(key -> ItemKeys.of(ItemKeys.partition(key), ItemKeys.HEAD))
                .toList();
        Map<String, Item> heads = new HashMap<>();
        table.batch(call, keys).forEach(item -> heads.put(item.text(ItemKeys.PK), item));
        return heads;
    }

    private static Listed<PartitionSummary> summary(PartitionKey key, Item head) {
        return listed(
                TextualId.of(key.topicId()) + "-" + key.partition(),
                head,
                item -> PartitionSummary.of(key, HeadItem.parse(item).toHead()));
    }

    @Override
    public Page<SegmentRecord> segments(PartitionKey key, Kept kept, @Nullable String after, int limit) {
        String partition = ItemKeys.partition(key);
        Call call = Call.reading("list.segments", "listing of the segments of " + key, Deadline.in(callTimeout));
        Table.Part part = kept == Kept.LIVE
                ? table.part(call, size(limit), Map.of(), live(partition, after == null ? "" : after))
                : table.part(
                        call,
                        size(limit),
                        after == null ? Map.of() : ItemKeys.of(partition, after),
                        deleted(partition));
        List<Listed<SegmentRecord>> segments = new ArrayList<>();
        part.items().forEach(item -> segments.add(listed(id(item), item, SegmentItem::parse)));
        return new Page<>(segments, part.next(kept == Kept.LIVE ? ItemKeys.POSITION : ItemKeys.SK));
    }

    private static Consumer<QueryRequest.Builder> live(String partition, String after) {
        return request -> request.indexName(ItemKeys.LIVE_INDEX)
                .keyConditionExpression("pk = :pk AND #position > :after")
                .expressionAttributeNames(Map.of("#position", ItemKeys.POSITION))
                .expressionAttributeValues(Map.of(
                        ":pk", AttributeValue.fromS(partition),
                        // No key may be empty, and every position begins with a digit.
                        ":after", AttributeValue.fromS(after.isEmpty() ? " " : after)));
    }

    /** By what is not in the index of live ones, so that no segment is in neither, whatever its state. */
    private static Consumer<QueryRequest.Builder> deleted(String partition) {
        return request -> request.keyConditionExpression("pk = :pk AND begins_with(sk, :segments)")
                .filterExpression("attribute_not_exists(#position)")
                .expressionAttributeNames(Map.of("#position", ItemKeys.POSITION))
                .expressionAttributeValues(Map.of(
                        ":pk", AttributeValue.fromS(partition),
                        ":segments", AttributeValue.fromS(ItemKeys.SEGMENT_PREFIX)));
    }

    /** An item holds the changes of one commit, and a page may end among them: so a page begins behind a version, not behind an item. */
    @Override
    public Page<RecordedChange> history(PartitionKey key, @Nullable String after, int limit) {
        String history = ItemKeys.history(key);
        long afterVersion = after == null ? 0 : Long.parseLong(after);
        Call call = Call.reading("list.history", "listing of the history of " + key, Deadline.in(callTimeout));
        Table.Part part = table.part(
                call,
                size(limit),
                Map.of(),
                request -> request.keyConditionExpression("pk = :pk AND sk > :after")
                        .expressionAttributeValues(Map.of(
                                ":pk", AttributeValue.fromS(history),
                                ":after", AttributeValue.fromS(ItemKeys.changed(afterVersion)))));
        List<Listed<RecordedChange>> changes = new ArrayList<>();
        long last = afterVersion;
        Instant now = Instant.now();
        for (Item item : part.items()) {
            for (Step step : steps(item, now)) {
                if (step.version() > afterVersion) {
                    if (changes.size() == size(limit)) {
                        return new Page<>(changes, Long.toString(last));
                    }
                    changes.add(step.change());
                    last = step.version();
                }
            }
        }
        return new Page<>(changes, part.next(ItemKeys.SK));
    }

    /** A change and its place in the listing. */
    private record Step(long version, Listed<RecordedChange> change) {}

    private static List<Step> steps(Item item, Instant now) {
        try {
            return HistoryItem.expired(item, now)
                    ? List.of()
                    : HistoryItem.parse(item).stream()
                            .map(change -> new Step(change.change().version(), new Found<>(change)))
                            .toList();
        } catch (StoreException.Corrupt e) {
            long version = item.number(ItemKeys.SK, item.sortKey());
            return List.of(new Step(version, new Unreadable<>(Long.toString(version), String.valueOf(e.getMessage()))));
        }
    }

    private static String id(Item item) {
        return item.sortKey().substring(ItemKeys.SEGMENT_PREFIX.length());
    }

    private static <T> Listed<T> listed(String id, Item item, Function<Item, T> parse) {
        try {
            return new Found<>(parse.apply(item));
        } catch (StoreException.Corrupt e) {
            return new Unreadable<>(id, String.valueOf(e.getMessage()));
        }
    }

    private static int size(int limit) {
        return Math.min(limit, MAX_PAGE);
    }

    @Override
    public void close() {
        table.requests().close();
    }
}
