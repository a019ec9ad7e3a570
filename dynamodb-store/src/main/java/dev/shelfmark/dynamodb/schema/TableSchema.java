package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The version of the layout that a table is of, as its schema item says. A layout that older builds can still work with names
 * the oldest of them, so that brokers of both can run during a rolling upgrade.
 *
 * <pre>
 * pk             "shelfmark"
 * sk             "schema"
 * schemaVersion  1
 * oldestBuild    1    builds whose own version is below this must not touch the table
 * </pre>
 */
public record TableSchema(int version, int oldestBuild) {

    /** This build's version. */
    public static final int SUPPORTED = 1;

    /** The oldest layout that this build can work with. */
    static final int OLDEST_SUPPORTED = 1;

    public static final TableSchema CURRENT = new TableSchema(SUPPORTED, 1);

    static final String SCHEMA_VERSION = "schemaVersion";
    private static final String OLDEST_BUILD = "oldestBuild";

    public static Optional<TableSchema> read(Table table, Deadline deadline) {
        return table.get(Call.reading("schema", "schema version", deadline), ItemKeys.SHELFMARK, ItemKeys.SCHEMA)
                .map(item -> new TableSchema(item.integer(SCHEMA_VERSION), item.integer(OLDEST_BUILD)));
    }

    /** Fails when the table is missing, empty, or of a layout that this build can't work with. */
    public static void require(Table table, Deadline deadline) {
        read(table, deadline)
                .orElseThrow(() -> new StoreException.SchemaMismatch(
                        "DynamoDB table " + table.name()
                                + " holds no Shelfmark catalogue; run 'shelfmark init', or check"
                                + " dynamodb.table and dynamodb.region",
                        null))
                .ensureUsable(table.name());
    }

    public Map<String, AttributeValue> toItem() {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(ItemKeys.SHELFMARK, ItemKeys.SCHEMA));
        item.put(SCHEMA_VERSION, AttributeValue.fromN(Integer.toString(version)));
        item.put(OLDEST_BUILD, AttributeValue.fromN(Integer.toString(oldestBuild)));
        return item;
    }

    private void ensureUsable(String table) {
        if (oldestBuild > SUPPORTED) {
            throw new StoreException.SchemaMismatch(
                    "DynamoDB table " + table + " is of schema version " + version + ", which this build (version "
                            + SUPPORTED + ") can't work with; upgrade Shelfmark",
                    null);
        }
        if (version < OLDEST_SUPPORTED) {
            throw new StoreException.SchemaMismatch(
                    "DynamoDB table " + table + " is of schema version " + version + "; run 'shelfmark upgrade-schema'",
                    null);
        }
    }
}
