package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that can't be understood are told of, and end no listing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DynamoDbListingTest {

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();

    @BeforeAll
    void createTable() {
        dynamoDb.administration(Map.of()).migrate();
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    private void spoil(String pk, String sk, String attribute, String value) {
        dynamoDb.client()
                .updateItem(request -> request.tableName(dynamoDb.table())
                        .key(ItemKeys.of(pk, sk))
                        .updateExpression("SET #attribute = :value")
                        .expressionAttributeNames(Map.of("#attribute", attribute))
                        .expressionAttributeValues(Map.of(":value", AttributeValue.fromS(value))));
    }

    @Test
    void aSegmentOfAStateThatNoBuildKnows() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        PartitionKey key = Commits.partition();
        SegmentRecord spoiled = Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord sound = Commits.segment(2, 100, SegmentState.COPY_SEGMENT_FINISHED, 2);
        SegmentRecord gone = Commits.segment(3, 200, SegmentState.DELETE_SEGMENT_FINISHED, 3);
        store.commit(key, Commits.commit(0, 3, Map.of(), spoiled, sound, gone));
        spoil(ItemKeys.partition(key), ItemKeys.segment(spoiled.segmentId()), "state", "DRAINING");
        spoil(ItemKeys.partition(key), ItemKeys.segment(gone.segmentId()), "state", "DRAINED");
        CatalogueListing listing = dynamoDb.listing();

        assertThat(listing.segments(key, Kept.LIVE, null, 10).items())
                .hasSize(2)
                .satisfies(
                        item -> assertThat(item).isInstanceOfSatisfying(Unreadable.class, row -> {
                            assertThat(row.id()).isEqualTo(TextualId.of(spoiled.segmentId()));
                            assertThat(row.reason()).contains("DRAINING");
                        }),
                        org.assertj.core.data.Index.atIndex(0))
                .contains(new Found<>(sound), org.assertj.core.data.Index.atIndex(1));
        assertThat(listing.segments(key, Kept.DELETED, null, 10).items())
                .singleElement()
                .isInstanceOf(Unreadable.class);
    }

    @Test
    void aPartitionWhoseHeadIsLostOrNotUnderstood() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        String clusterId = "cluster-" + UUID.randomUUID();
        PartitionKey sound = new PartitionKey(clusterId, new UUID(1, 1), 0);
        PartitionKey lost = new PartitionKey(clusterId, new UUID(1, 2), 0);
        PartitionKey spoiled = new PartitionKey(clusterId, new UUID(1, 3), 0);
        for (PartitionKey key : new PartitionKey[] {sound, lost, spoiled}) {
            store.commit(key, Commits.commit(0, 1, Map.of()));
        }
        dynamoDb.client()
                .deleteItem(request ->
                        request.tableName(dynamoDb.table()).key(ItemKeys.of(ItemKeys.partition(lost), ItemKeys.HEAD)));
        spoil(ItemKeys.partition(spoiled), ItemKeys.HEAD, "deletion", "MAYBE");

        assertThat(dynamoDb.listing().partitions(clusterId, null, 10).items())
                .hasSize(3)
                .filteredOn(Unreadable.class::isInstance)
                .extracting(item -> ((Unreadable<?>) item).reason())
                .satisfiesExactlyInAnyOrder(
                        reason -> assertThat(reason).contains("no head"),
                        reason -> assertThat(reason).contains("MAYBE"));
    }
}
