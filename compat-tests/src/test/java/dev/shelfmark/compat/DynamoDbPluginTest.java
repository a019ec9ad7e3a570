package dev.shelfmark.compat;

import dev.shelfmark.compat.dynamodb.DynamoDbBackEnd;
import org.junit.jupiter.api.Nested;

/** The plugin on DynamoDB. */
final class DynamoDbPluginTest extends PluginSuite {

    private static final StoreBackEnd STORE = new DynamoDbBackEnd();

    @Nested
    final class Reports extends ReportsContract {
        Reports() {
            super(STORE);
        }
    }

    @Nested
    final class Gate extends GateContract {
        Gate() {
            super(STORE);
        }
    }

    @Nested
    final class UnderOutages extends OutageContract {
        UnderOutages() {
            super(STORE);
        }
    }

    @Nested
    final class Freshness extends FreshnessContract {
        Freshness() {
            super(STORE);
        }
    }

    @Nested
    final class Model extends ModelContract {
        Model() {
            super(STORE);
        }
    }
}
