package dev.shelfmark.compat.postgres;

import dev.shelfmark.compat.ClustersContract;
import dev.shelfmark.compat.CommittingContract;
import dev.shelfmark.compat.CostsContract;
import dev.shelfmark.compat.EndingContract;
import dev.shelfmark.compat.FaultsContract;
import dev.shelfmark.compat.FidelityContract;
import dev.shelfmark.compat.HistoryContract;
import dev.shelfmark.compat.ListingContract;
import dev.shelfmark.compat.PurgingContract;
import dev.shelfmark.compat.RacesContract;
import dev.shelfmark.compat.ReadingContract;
import dev.shelfmark.compat.RefusalsContract;
import dev.shelfmark.compat.StoreBackEnd;
import dev.shelfmark.compat.StoreSuite;
import org.junit.jupiter.api.Nested;

/** The store contract on the PostgreSQL store. */
final class PostgresStoreTest extends StoreSuite {

    private static final StoreBackEnd STORE = new PostgresBackEnd();

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
    final class Refusals extends RefusalsContract {
        Refusals() {
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
}
