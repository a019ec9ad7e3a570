package dev.shelfmark.compat;

import dev.shelfmark.compat.dynamodb.DynamoDbBackEnd;
import org.junit.jupiter.api.Nested;

/** The store contract on DynamoDB. */
final class DynamoDbStoreTest extends StoreSuite {

    private static final StoreBackEnd STORE = new DynamoDbBackEnd();

    @Nested
    final class Fidelity extends FidelityContract {
        Fidelity() {
            super(STORE);
        }
    }

    @Nested
    final class Ending extends EndingContract {
        Ending() {
            super(STORE);
        }
    }

    @Nested
    final class Reading extends ReadingContract {
        Reading() {
            super(STORE);
        }
    }

    @Nested
    final class Committing extends CommittingContract {
        Committing() {
            super(STORE);
        }
    }

    @Nested
    final class Purging extends PurgingContract {
        Purging() {
            super(STORE);
        }
    }

    @Nested
    final class Clusters extends ClustersContract {
        Clusters() {
            super(STORE);
        }
    }

    @Nested
    final class Costs extends CostsContract {
        Costs() {
            super(STORE);
        }
    }

    @Nested
    final class Races extends RacesContract {
        Races() {
            super(STORE);
        }
    }

    @Nested
    final class UnderFaults extends FaultsContract {
        UnderFaults() {
            super(STORE);
        }
    }

    @Nested
    final class History extends HistoryContract {
        History() {
            super(STORE);
        }
    }

    @Nested
    final class Listing extends ListingContract {
        Listing() {
            super(STORE);
        }
    }

    @Nested
    final class Refusals extends RefusalsContract {
        Refusals() {
            super(STORE);
        }
    }
}
