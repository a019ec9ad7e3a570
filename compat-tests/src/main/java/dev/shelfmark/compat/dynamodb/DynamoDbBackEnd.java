package dev.shelfmark.compat.dynamodb;

import dev.shelfmark.compat.StoreBackEnd;
import dev.shelfmark.compat.StoreHarness;

/** DynamoDB, or what speaks its protocol here. */
public final class DynamoDbBackEnd implements StoreBackEnd {

    @Override
    public String name() {
        return "dynamodb";
    }

    @Override
    public StoreHarness start() {
        DynamoDbHarness harness = new DynamoDbHarness(DynamoDbServer.start());
        harness.createTable();
        return harness;
    }
}
