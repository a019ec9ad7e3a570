package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.dynamodb.client.ApiOperation;
import dev.shelfmark.dynamodb.client.ApiOperation.Role;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.store.admin.StoreAdministration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The list behind the IAM policies, held against the calls that are really made. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DynamoDbRightsTest {

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();

    @BeforeAll
    void createTable() {
        dynamoDb.administration(Map.of()).migrate();
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    @Test
    void aBrokerCallsWhatItsPolicyAllows() {
        CalledOperations called = new CalledOperations();
        CatalogueStore store = dynamoDb.store(StoreListener.NONE, called);
        asBroker(store, Commits.partition());

        assertThat(called.names)
                .as("a missing table is described as well, which DynamoDbAdministrationTest sees")
                .isEqualTo(without(ApiOperation.calledBy(Role.BROKER), "DescribeTable"));
    }

    /** Whoever narrows a broker to its own cluster goes by the page. */
    @Test
    void aBrokerTouchesThePartitionKeysThatThePageNames() throws IOException {
        UsedPartitionKeys used = new UsedPartitionKeys();
        CatalogueStore store = dynamoDb.store(StoreListener.NONE, used);
        PartitionKey key = Commits.partition();
        asBroker(store, key);

        String page = Files.readString(Path.of("..", "docs", "dynamodb.md"));
        int begin = page.indexOf("`dynamodb:LeadingKeys`");
        String narrowing = page.substring(begin, page.indexOf("\n\n", begin));
        Set<String> named = Pattern.compile("`([^`:]+)`")
                .matcher(narrowing.substring(0, narrowing.indexOf("KMS")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        Set<String> kinds = used.keys.stream()
                .map(pk -> pk.replace(key.clusterId(), "<cluster id>").replaceAll("/.*", "/*"))
                .collect(Collectors.toSet());
        assertThat(kinds).isEqualTo(named);
    }

    private static void asBroker(CatalogueStore store, PartitionKey key) {
        store.verify();
        store.cluster(key.clusterId());
        store.commit(
                key,
                Commits.commit(0, 1, Map.of(1, 99L), Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 1)));
        readEverything(store, key);
        store.purgeDeleted(key.clusterId(), 10);
        store.purgeHistory(10);
        store.heartbeat(new BrokerHeartbeat(
                key.clusterId(),
                1,
                "start",
                1,
                BrokerHeartbeat.Mode.BRIDGE,
                "1.0",
                null,
                0,
                Duration.ofSeconds(10),
                Instant.EPOCH,
                ""));
    }

    @Test
    void anAuditorCallsWhatItsPolicyAllows() {
        CalledOperations called = new CalledOperations();
        CatalogueStore store = dynamoDb.store(StoreListener.NONE, called);
        store.cluster("some cluster");
        readEverything(store, Commits.partition());
        StoreAdministration administration = dynamoDb.administration(Map.of(), called);
        administration.clusters();

        assertThat(ApiOperation.calledBy(Role.AUDITOR)).containsAll(called.names);
    }

    @Test
    void aListingNeedsNoMoreThanAnAuditorsPolicy() {
        PartitionKey key = Commits.partition();
        dynamoDb.store(StoreListener.NONE)
                .commit(
                        key,
                        Commits.commit(0, 1, Map.of(), Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 1)));
        CalledOperations called = new CalledOperations();
        CatalogueListing listing = dynamoDb.listing(called);
        listing.verify();
        listing.clusters();
        assertThat(listing.partitions(key.clusterId(), null, 10).items()).isNotEmpty();
        for (CatalogueListing.Kept kept : CatalogueListing.Kept.values()) {
            listing.segments(key, kept, null, 10);
        }

        assertThat(called.names)
                .as("a missing table is described as well")
                .isEqualTo(without(ApiOperation.calledBy(Role.AUDITOR), "DescribeTable"));
    }

    @Test
    void anOwnerCallsWhatItsPolicyAllows() {
        CalledOperations called = new CalledOperations();
        Map<String, String> all = Map.of(
                DynamoDbStoreConfig.TABLE, "rights-" + UUID.randomUUID(),
                DynamoDbStoreConfig.DELETION_PROTECTION, "false",
                DynamoDbStoreConfig.TAGS, "team=streams");
        dynamoDb.administration(all, called).migrate();
        Map<String, String> more = new java.util.HashMap<>(all);
        more.put(DynamoDbStoreConfig.DELETION_PROTECTION, "true");
        more.put(DynamoDbStoreConfig.TAGS, "team=streams,stage=test");
        DynamoDbAdministration administration = dynamoDb.administration(more, called);
        administration.migrate();
        administration.schema();
        administration.putCluster(new ClusterRecord("c", ClusterState.IMPORTING, 1, Instant.EPOCH, "test", ""));
        administration.cluster("c");
        administration.clusters();
        administration.heartbeats("c");

        try (BulkLoader loader =
                ((LoadClaim.Granted) administration.claimLoad("c", "test", Duration.ofMinutes(1))).loader()) {
            loader.empty();
            loader.checkpoints();
            loader.load(List.of(load()));
            loader.checkpoint(1, new BulkLoader.Checkpoint("topic", 1, ""));
            loader.checkpoint(1, new BulkLoader.Checkpoint("topic", 2, ""));
        }

        Set<String> asBroker = Set.of("BatchGetItem");
        Set<String> notOffered = Set.of("UpdateContinuousBackups");
        assertThat(ApiOperation.calledBy(Role.OWNER)).containsAll(called.names);
        assertThat(called.names)
                .containsAll(without(
                        without(ApiOperation.calledBy(Role.OWNER), asBroker.toArray(String[]::new)),
                        notOffered.toArray(String[]::new)));
    }

    private static PartitionLoad load() {
        PartitionHead head = Commits.commit(0, 1, Map.of()).head();
        return new PartitionLoad(
                new PartitionKey("c", new UUID(1, 1), 0),
                0,
                head,
                List.of(Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 1)),
                List.of(),
                Set.of(),
                1,
                new BulkLoader.Progress(1, ""));
    }

    private static void readEverything(CatalogueStore store, PartitionKey key) {
        for (Selection selection : List.of(
                new Selection.HeadOnly(),
                new Selection.All(),
                new Selection.ChangedSince(0),
                new Selection.ById(Set.of(new UUID(7, 1))),
                new Selection.Holding(1),
                new Selection.WithTxnIndex(1, 1, null))) {
            store.read(key, selection, unused -> {});
        }
    }

    private static Set<String> without(Set<String> names, String... less) {
        Set<String> rest = new java.util.HashSet<>(names);
        rest.removeAll(List.of(less));
        return rest;
    }

    private static final class CalledOperations implements ExecutionInterceptor {

        final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            names.add(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
        }
    }

    /** The partition keys of every item and query that is sent. */
    private static final class UsedPartitionKeys implements ExecutionInterceptor {

        final Set<String> keys = ConcurrentHashMap.newKeySet();

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            SdkRequest request = context.request();
            if (request instanceof GetItemRequest get) {
                add(get.key());
            } else if (request instanceof QueryRequest query) {
                add(query.expressionAttributeValues(), ":pk");
            } else if (request instanceof BatchGetItemRequest batch) {
                batch.requestItems().values().forEach(table -> table.keys().forEach(this::add));
            } else if (request instanceof TransactWriteItemsRequest transaction) {
                transaction
                        .transactItems()
                        .forEach(action -> add(
                                action.put() != null
                                        ? action.put().item()
                                        : action.update().key()));
            }
        }

        private void add(Map<String, AttributeValue> key) {
            add(key, ItemKeys.PK);
        }

        private void add(Map<String, AttributeValue> values, String name) {
            keys.add(Objects.requireNonNull(values.get(name)).s());
        }
    }
}
