package dev.shelfmark.compat;

import dev.shelfmark.compat.dynamodb.DynamoDbBackEnd;
import dev.shelfmark.compat.postgres.PostgresBackEnd;
import org.junit.jupiter.api.Nested;

/** The audit on every store. */
final class AuditTest {

    @Nested
    final class InMemory extends AuditContract {
        InMemory() {
            super(new InMemoryBackEnd());
        }
    }

    @Nested
    final class Postgres extends AuditContract {
        Postgres() {
            super(new PostgresBackEnd());
        }
    }

    @Nested
    final class DynamoDb extends AuditContract {
        DynamoDb() {
            super(new DynamoDbBackEnd());
        }
    }
}
