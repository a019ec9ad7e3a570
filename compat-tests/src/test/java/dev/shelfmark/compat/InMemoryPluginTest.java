package dev.shelfmark.compat;

import org.junit.jupiter.api.Nested;

/** The plugin on the reference store. */
final class InMemoryPluginTest extends PluginSuite {

    private static final StoreBackEnd STORE = new InMemoryBackEnd();

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

        @Override
        protected int sequences() {
            return 40;
        }
    }
}
