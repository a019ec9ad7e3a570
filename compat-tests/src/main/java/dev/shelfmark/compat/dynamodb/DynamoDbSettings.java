package dev.shelfmark.compat.dynamodb;

import java.util.HashMap;
import java.util.Map;

/** The store's settings for a table on a test server. */
public final class DynamoDbSettings {

    static final String ACCESS_KEY_ID = "AKIDTEST";

    private DynamoDbSettings() {}

    /**
     * For a table that may be thrown away.
     *
     * @param server where it is
     * @param table its name
     */
    public static Map<String, String> of(DynamoDbServer server, String table) {
        return new HashMap<>(Map.of(
                "dynamodb.region",
                "eu-central-1",
                "dynamodb.endpoint",
                server.endpoint().toString(),
                "dynamodb.table",
                table,
                "dynamodb.credentials.access.key.id",
                ACCESS_KEY_ID,
                "dynamodb.credentials.secret.access.key",
                "of-no-worth",
                "dynamodb.deletion.protection",
                "false"));
    }
}
