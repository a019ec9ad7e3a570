package dev.shelfmark.compat.dynamodb;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Changes items behind the store's back. */
final class TableSpoiler implements AutoCloseable {

    private final DynamoDbClient client;
    private final String table;

    TableSpoiler(URI endpoint, String table) {
        this.table = table;
        this.client = DynamoDbClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(endpoint)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(DynamoDbSettings.ACCESS_KEY_ID, "of-no-worth")))
                .build();
    }

    /** Gives an item that is there a state that no build knows. */
    void spoilState(String pk, String sk) {
        client.updateItem(request -> request.tableName(table)
                .key(Map.of("pk", AttributeValue.fromS(pk), "sk", AttributeValue.fromS(sk)))
                .updateExpression("SET #state = :unknown")
                .conditionExpression("attribute_exists(#state)")
                .expressionAttributeNames(Map.of("#state", "state"))
                .expressionAttributeValues(Map.of(":unknown", AttributeValue.fromS("FROM_A_NEWER_BUILD"))));
    }

    @Override
    public void close() {
        client.close();
    }
}
