package dev.shelfmark.compat.postgres;

import dev.shelfmark.compat.FreshnessContract;
import dev.shelfmark.compat.GateContract;
import dev.shelfmark.compat.ModelContract;
import dev.shelfmark.compat.OutageContract;
import dev.shelfmark.compat.PluginSuite;
import dev.shelfmark.compat.ReportsContract;
import dev.shelfmark.compat.StoreBackEnd;
import org.junit.jupiter.api.Nested;

/** The plugin on PostgreSQL. */
final class PostgresPluginTest extends PluginSuite {

    private static final StoreBackEnd STORE = new PostgresBackEnd();

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
