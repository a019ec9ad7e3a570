package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.items.ItemKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.SSEType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.Tag;

/**
 * The table's keys and local indexes, as {@link ItemKeys} draws them. Indexes hold whole items, so that no read needs a second
 * look at the table. Local indexes can't be added to a table later, nor taken away.
 */
public final class TableLayout {

    private static final Map<String, String> SORT_KEY_BY_INDEX = Map.of(
            ItemKeys.CHANGES_INDEX, ItemKeys.VERSION,
            ItemKeys.LIVE_INDEX, ItemKeys.POSITION,
            ItemKeys.TXN_INDEX, ItemKeys.TXN_POSITION);

    private static final List<AttributeDefinition> ATTRIBUTES = List.of(
            attribute(ItemKeys.PK, ScalarAttributeType.S),
            attribute(ItemKeys.SK, ScalarAttributeType.S),
            attribute(ItemKeys.VERSION, ScalarAttributeType.N),
            attribute(ItemKeys.POSITION, ScalarAttributeType.S),
            attribute(ItemKeys.TXN_POSITION, ScalarAttributeType.S));

    private TableLayout() {}

    public static CreateTableRequest create(DynamoDbStoreConfig config) {
        CreateTableRequest.Builder request = CreateTableRequest.builder()
                .tableName(config.table())
                .keySchema(keys(ItemKeys.SK))
                .attributeDefinitions(ATTRIBUTES)
                .localSecondaryIndexes(SORT_KEY_BY_INDEX.entrySet().stream()
                        .map(index -> index(index.getKey(), index.getValue()))
                        .toList())
                .deletionProtectionEnabled(config.flag(DynamoDbStoreConfig.DELETION_PROTECTION))
                .tags(tags(config));
        if (config.provisioned()) {
            request.billingMode(BillingMode.PROVISIONED)
                    .provisionedThroughput(
                            units -> units.readCapacityUnits(config.units(DynamoDbStoreConfig.READ_UNITS))
                                    .writeCapacityUnits(config.units(DynamoDbStoreConfig.WRITE_UNITS)));
        } else {
            request.billingMode(BillingMode.PAY_PER_REQUEST);
        }
        config.text(DynamoDbStoreConfig.KMS_KEY)
                .ifPresent(key -> request.sseSpecification(
                        sse -> sse.enabled(true).sseType(SSEType.KMS).kmsMasterKeyId(key)));
        return request.build();
    }

    /**
     * Whether a table has our keys, of our types, and at least our indexes, which hold whole items; a later layout may have more. An
     * attribute that an index does not hold would be read as one that was never written.
     */
    public static boolean fits(TableDescription table) {
        Map<String, Set<KeySchemaElement>> indexes = table.localSecondaryIndexes().stream()
                .filter(index ->
                        index.projection() != null && index.projection().projectionType() == ProjectionType.ALL)
                .collect(Collectors.toMap(
                        LocalSecondaryIndexDescription::indexName, index -> Set.copyOf(index.keySchema())));
        return Set.copyOf(table.keySchema()).equals(Set.copyOf(keys(ItemKeys.SK)))
                && Set.copyOf(table.attributeDefinitions()).containsAll(ATTRIBUTES)
                && SORT_KEY_BY_INDEX.entrySet().stream()
                        .allMatch(index -> Set.copyOf(keys(index.getValue())).equals(indexes.get(index.getKey())));
    }

    public static List<Tag> tags(DynamoDbStoreConfig config) {
        Stream<Tag> tags = config.tags().entrySet().stream()
                .map(tag ->
                        Tag.builder().key(tag.getKey()).value(tag.getValue()).build());
        return tags.toList();
    }

    private static LocalSecondaryIndex index(String name, String sortKey) {
        return LocalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(keys(sortKey))
                .projection(projection -> projection.projectionType(ProjectionType.ALL))
                .build();
    }

    private static List<KeySchemaElement> keys(String sortKey) {
        return List.of(key(ItemKeys.PK, KeyType.HASH), key(sortKey, KeyType.RANGE));
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }
}
