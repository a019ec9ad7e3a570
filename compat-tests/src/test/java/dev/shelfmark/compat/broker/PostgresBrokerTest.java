package dev.shelfmark.compat.broker;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real brokers whose catalogue is in PostgreSQL. */
@Tag("broker")
class PostgresBrokerTest {

    @RegisterExtension
    static final SharedBrokers BROKERS = new SharedBrokers("postgres", JdbcCatalogue::start);

    @Nested
    class Leadership extends LeadershipScenarios {}

    @Nested
    class Deletion extends DeletionScenarios {}

    @Nested
    class Transactions extends TransactionScenarios {}

    @Nested
    class Outage extends OutageScenarios {
        Outage() {
            super(JdbcCatalogue::start);
        }
    }

    @Nested
    class Registration extends RegistrationScenarios {
        Registration() {
            super(JdbcCatalogue::start);
        }
    }

    @Nested
    class Migration extends MigrationScenarios {
        Migration() {
            super(JdbcCatalogue::start);
        }
    }

    @Nested
    class Audit extends AuditScenarios {
        Audit() {
            super(JdbcCatalogue::start);
        }
    }
}
