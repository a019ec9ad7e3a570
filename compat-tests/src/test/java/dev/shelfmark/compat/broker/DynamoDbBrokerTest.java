package dev.shelfmark.compat.broker;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real brokers whose catalogue is in DynamoDB. */
@Tag("broker")
class DynamoDbBrokerTest {

    @RegisterExtension
    static final SharedBrokers BROKERS = new SharedBrokers("dynamodb", DynamoDbCatalogue::start);

    @Nested
    class Leadership extends LeadershipScenarios {}

    @Nested
    class Deletion extends DeletionScenarios {}

    @Nested
    class Transactions extends TransactionScenarios {}

    @Nested
    class Outage extends OutageScenarios {
        Outage() {
            super(DynamoDbCatalogue::start);
        }
    }

    @Nested
    class Registration extends RegistrationScenarios {
        Registration() {
            super(DynamoDbCatalogue::start);
        }
    }

    @Nested
    class Migration extends MigrationScenarios {
        Migration() {
            super(DynamoDbCatalogue::start);
        }
    }

    @Nested
    class Audit extends AuditScenarios {
        Audit() {
            super(DynamoDbCatalogue::start);
        }
    }
}
