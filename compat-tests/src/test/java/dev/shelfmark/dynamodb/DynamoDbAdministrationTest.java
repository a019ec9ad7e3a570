package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.schema.TableLayout;
import dev.shelfmark.dynamodb.schema.TableSchema;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.StoreAdministration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.Tag;

/** The table: created, verified, brought up to date, refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
final class DynamoDbAdministrationTest {

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();
    private final DynamoDbClient client = dynamoDb.client();

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    @Test
    void createsTheTableAsConfigured() {
        String table = newTable();
        StoreAdministration administration = dynamoDb.administration(Map.of(
                DynamoDbStoreConfig.TABLE, table,
                DynamoDbStoreConfig.BILLING, "provisioned",
                DynamoDbStoreConfig.READ_UNITS, "7",
                DynamoDbStoreConfig.KMS_KEY, "alias/shelfmark",
                DynamoDbStoreConfig.TAGS, "team=streams,stage=test",
                DynamoDbStoreConfig.DELETION_PROTECTION, "true"));
        assertThat(administration.schema().current()).isZero();
        assertThat(administration.schema().pending()).isNotEmpty();

        List<String> done = administration.migrate();

        assertThat(done.get(0)).startsWith("created table " + table + " in eu-central-1");
        assertThat(String.join("\n", done)).contains("switched on removal of deleted segments");
        assertThat(String.join("\n", administration.rights()))
                .contains("IAM policy for the broker:", "IAM policy for the auditor:", "IAM policy for the owner:")
                .contains("table/" + table + "/index/*");
        TableDescription description =
                client.describeTable(request -> request.tableName(table)).table();
        assertThat(description.deletionProtectionEnabled()).isTrue();
        assertThat(description.provisionedThroughput().readCapacityUnits()).isEqualTo(7);
        assertThat(description.sseDescription().kmsMasterKeyArn()).contains("alias/shelfmark");
        assertThat(client.listTagsOfResource(request -> request.resourceArn(description.tableArn()))
                        .tags())
                .contains(Tag.builder().key("team").value("streams").build());
        assertThat(client.describeTimeToLive(request -> request.tableName(table))
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("expiresAt");
        assertThat(administration.schema().current()).isEqualTo(1);
        assertThat(administration.schema().pending()).isEmpty();
        assertThat(administration.migrate()).as("nothing is left to do").isEmpty();
    }

    @Test
    void onDemandByDefault() {
        String table = newTable();
        dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table)).migrate();

        assertThat(client.describeTable(request -> request.tableName(table))
                        .table()
                        .billingModeSummary()
                        .billingMode())
                .isEqualTo(BillingMode.PAY_PER_REQUEST);
    }

    @Test
    void finishesWhatWasCutShort() {
        String table = newTable();
        Map<String, String> less = Map.of(DynamoDbStoreConfig.TABLE, table);
        ScriptedAnswers answers = new ScriptedAnswers();
        answers.fail("UpdateTimeToLive", 400, "AccessDeniedException");
        assertThatThrownBy(() -> dynamoDb.administration(less, answers).migrate())
                .isInstanceOf(StoreException.AccessDenied.class)
                .hasMessageContaining("update-time-to-live");

        Map<String, String> more = Map.of(
                DynamoDbStoreConfig.TABLE, table,
                DynamoDbStoreConfig.TAGS, "team=streams",
                DynamoDbStoreConfig.DELETION_PROTECTION, "true");
        StoreAdministration administration = dynamoDb.administration(more);
        assertThat(administration.schema().pending())
                .contains("switch on deletion protection", "switch on tags [team]");
        assertThat(administration.migrate()).contains("switched on deletion protection", "switched on tags [team]");
        assertThat(administration.migrate()).isEmpty();
    }

    /** As DynamoDB answers. */
    @Test
    void anEmptyAnswerToTagsIsAnAnswer() {
        String table = newTable();
        dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table)).migrate();
        ScriptedAnswers answers = new ScriptedAnswers();
        answers.answer("TagResource", "");

        assertThat(dynamoDb.administration(
                                Map.of(DynamoDbStoreConfig.TABLE, table, DynamoDbStoreConfig.TAGS, "team=streams"),
                                answers)
                        .migrate())
                .contains("switched on tags [team]");
    }

    @Test
    void manyAtOnceAllSucceed() throws Exception {
        String table = newTable();
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<String>>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                StoreAdministration administration = dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table));
                runs.add(executor.submit(administration::migrate));
            }
            for (Future<List<String>> run : runs) {
                run.get();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table))
                        .schema()
                        .pending())
                .isEmpty();
    }

    @Test
    void aTableOfAnotherLayoutIsRefused() {
        String table = newTable();
        client.createTable(request -> request.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build()));
        Map<String, String> settings = Map.of(DynamoDbStoreConfig.TABLE, table);

        assertThatThrownBy(() -> dynamoDb.administration(settings).migrate())
                .isInstanceOf(StoreException.SchemaMismatch.class);
        CatalogueStore store = dynamoDb.store(dynamoDb.context(StoreListener.NONE, settings));
        assertThatThrownBy(store::verify)
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("layout");
    }

    /** What is not in an index is read as if nobody had ever written it. */
    @ParameterizedTest
    @EnumSource(names = {"KEYS_ONLY", "INCLUDE"})
    void aTableWhoseIndexesHoldNoWholeItemsIsRefused(ProjectionType held) {
        Map<String, String> settings = Map.of(DynamoDbStoreConfig.TABLE, newTable());
        CreateTableRequest right = layout(settings);
        client.createTable(right.toBuilder()
                .localSecondaryIndexes(right.localSecondaryIndexes().stream()
                        .map(index -> index.toBuilder()
                                .projection(projection -> projection
                                        .projectionType(held)
                                        .nonKeyAttributes(
                                                held == ProjectionType.INCLUDE ? List.of("startOffset") : null))
                                .build())
                        .toList())
                .build());

        StoreAdministration administration = dynamoDb.administration(settings);
        assertThatThrownBy(administration::schema).isInstanceOf(StoreException.SchemaMismatch.class);
        assertThatThrownBy(administration::migrate).isInstanceOf(StoreException.SchemaMismatch.class);
    }

    /** Text sorts other than numbers do: after version 9 comes version 89. */
    @Test
    void aTableWhoseKeysAreOfOtherTypesIsRefused() {
        Map<String, String> settings = Map.of(DynamoDbStoreConfig.TABLE, newTable());
        CreateTableRequest right = layout(settings);
        client.createTable(right.toBuilder()
                .attributeDefinitions(right.attributeDefinitions().stream()
                        .map(key -> key.toBuilder()
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .toList())
                .build());

        StoreAdministration administration = dynamoDb.administration(settings);
        assertThatThrownBy(administration::schema).isInstanceOf(StoreException.SchemaMismatch.class);
        assertThatThrownBy(administration::migrate).isInstanceOf(StoreException.SchemaMismatch.class);
    }

    /** Nothing that is due would be removed, and something that is not might. */
    @Test
    void aTableFromWhichItemsExpireByAnotherAttributeIsRefused() {
        Map<String, String> settings = Map.of(DynamoDbStoreConfig.TABLE, newTable());
        client.createTable(layout(settings));
        client.updateTimeToLive(request -> request.tableName(settings.get(DynamoDbStoreConfig.TABLE))
                .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName("startOffset")));

        StoreAdministration administration = dynamoDb.administration(settings);
        assertThatThrownBy(administration::migrate)
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("startOffset")
                .hasMessageContaining("expiresAt");
        assertThatThrownBy(administration::schema).isInstanceOf(StoreException.SchemaMismatch.class);
    }

    private CreateTableRequest layout(Map<String, String> settings) {
        return TableLayout.create(new DynamoDbStoreConfig(
                dynamoDb.context(StoreListener.NONE, settings).config()));
    }

    @Test
    void aTableThatIsNotThereIsRefused() {
        CatalogueStore store =
                dynamoDb.store(dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.TABLE, newTable())));

        assertThatThrownBy(store::verify)
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("shelfmark init");
        assertThatThrownBy(() -> store.cluster("c")).isInstanceOf(StoreException.SchemaMismatch.class);
    }

    @Test
    void aTableThatIsBeingCreatedIsWaitedFor() {
        String table = newTable();
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store =
                dynamoDb.store(dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.TABLE, table)), answers);
        answers.fail("GetItem", 400, "ResourceNotFoundException");
        answers.answer("DescribeTable", "{\"Table\":{\"TableName\":\"" + table + "\",\"TableStatus\":\"CREATING\"}}");

        assertThatThrownBy(store::verify)
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("CREATING");
    }

    @Test
    void aNewerLayoutIsRefusedUnlessItNamesThisBuild() {
        String table = newTable();
        StoreAdministration administration = dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table));
        administration.migrate();
        CatalogueStore store =
                dynamoDb.store(dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.TABLE, table)));
        store.verify();

        client.putItem(request -> request.tableName(table).item(new TableSchema(2, 1).toItem()));
        store.verify();
        assertThat(administration.schema().current()).isEqualTo(2);
        assertThatThrownBy(administration::migrate)
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("newer build");

        client.putItem(request -> request.tableName(table).item(new TableSchema(2, 2).toItem()));
        assertThatThrownBy(store::verify)
                .isInstanceOf(StoreException.SchemaMismatch.class)
                .hasMessageContaining("upgrade Shelfmark");
    }

    @Test
    void verifyingChangesNothing() {
        String table = newTable();
        dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table)).migrate();
        CatalogueStore store =
                dynamoDb.store(dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.TABLE, table)));
        store.verify();

        assertThat(client.scan(request -> request.tableName(table)).items())
                .extracting(item -> item.get("sk"))
                .containsExactly(AttributeValue.fromS("schema"));
    }

    @Test
    void aMissingRightToWriteIsFoundByVerifying() {
        String table = newTable();
        dynamoDb.administration(Map.of(DynamoDbStoreConfig.TABLE, table)).migrate();
        ScriptedAnswers answers = new ScriptedAnswers();
        answers.fail("TransactWriteItems", 400, "AccessDeniedException");
        CatalogueStore store =
                dynamoDb.store(dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.TABLE, table)), answers);

        assertThatThrownBy(store::verify).isInstanceOf(StoreException.AccessDenied.class);
    }

    private static String newTable() {
        return "administration-" + UUID.randomUUID();
    }
}
