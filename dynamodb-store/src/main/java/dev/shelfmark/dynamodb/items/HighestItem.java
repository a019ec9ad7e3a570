package dev.shelfmark.dynamodb.items;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Highest offsets by leader epoch: an item for every 64 epochs, which stays below the 1 KB that DynamoDB bills at least. A commit
 * that raises epochs of more such items than fit into one transaction writes an item of its own instead; since highest
 * offsets only ever rise, readers take the highest of what they find.
 *
 * <pre>
 * pk        "partition#lkc-1/AAAAAAAAAAAAAAAAAAAAAQ-7"
 * sk        "HIGHEST#0"
 * version   12      the key of the index "changes"
 * 3         1499    an attribute for each epoch, named by its number
 * 4         1999
 * </pre>
 */
public final class HighestItem {

    private static final int EPOCHS = 64;

    private HighestItem() {}

    public static boolean is(Item item) {
        return item.sortKey().startsWith(ItemKeys.HIGHEST_PREFIX);
    }

    /** What to write for these epochs, in at most so many actions, but at least one. */
    public static Map<String, NavigableMap<Integer, Long>> group(
            NavigableMap<Integer, Long> raised, long version, int maxActions) {
        Map<String, NavigableMap<Integer, Long>> buckets = new HashMap<>();
        raised.forEach((epoch, offset) -> buckets.computeIfAbsent(
                        ItemKeys.highest(Math.floorDiv(epoch, EPOCHS)), unused -> new TreeMap<>())
                .put(epoch, offset));
        return buckets.size() <= maxActions ? buckets : Map.of(ItemKeys.highestAt(version), raised);
    }

    public static TransactWriteItem write(
            String table, String partition, String sortKey, long version, Map<Integer, Long> raised) {
        if (sortKey.equals(ItemKeys.highestAt(version))) {
            Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(partition, sortKey));
            item.put(ItemKeys.VERSION, number(version));
            raised.forEach((epoch, offset) -> item.put(epoch.toString(), number(offset)));
            return TransactWriteItem.builder()
                    .put(Put.builder().tableName(table).item(item).build())
                    .build();
        }
        Map<String, String> names = new HashMap<>(Map.of("#version", ItemKeys.VERSION));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":version", number(version)));
        raised.forEach((epoch, offset) -> {
            names.put("#" + suffix(epoch), epoch.toString());
            values.put(":" + suffix(epoch), number(offset));
        });
        String epochs = raised.keySet().stream()
                .map(epoch -> ", #" + suffix(epoch) + " = :" + suffix(epoch))
                .collect(Collectors.joining());
        Update update = Update.builder()
                .tableName(table)
                .key(ItemKeys.of(partition, sortKey))
                .updateExpression("SET #version = :version" + epochs)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        return TransactWriteItem.builder().update(update).build();
    }

    /** Adds an item's epochs to what is known. */
    public static void mergeInto(NavigableMap<Integer, Long> highest, Item item) {
        item.attributes().forEach((name, value) -> {
            if (!name.equals(ItemKeys.PK) && !name.equals(ItemKeys.SK) && !name.equals(ItemKeys.VERSION)) {
                highest.merge(epoch(item, name), item.number(name, value.n()), Math::max);
            }
        });
    }

    private static int epoch(Item item, String name) {
        try {
            return Integer.parseInt(name);
        } catch (NumberFormatException e) {
            throw item.corrupt(name, "is not a leader epoch", e);
        }
    }

    /** Placeholders must not hold a minus sign. */
    private static String suffix(int epoch) {
        return epoch < 0 ? "n" + Integer.toUnsignedString(epoch) : "e" + epoch;
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
