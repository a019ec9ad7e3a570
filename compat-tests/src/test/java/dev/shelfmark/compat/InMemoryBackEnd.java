package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueListing;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Duration;

/** The reference store. */
final class InMemoryBackEnd implements StoreBackEnd {

    @Override
    public String name() {
        return "in-memory";
    }

    @Override
    public StoreHarness start() {
        return new Harness();
    }

    private static final class Harness implements StoreHarness {

        private static final Duration CALL_LIMIT = Duration.ofMillis(200);

        private final InMemoryCatalogueStore.Database database =
                new InMemoryCatalogueStore.Database(new NeverTwiceClock());

        @Override
        public CatalogueStore open(Retention retention, StoreListener listener) {
            return new InMemoryCatalogueStore(database, retention, listener);
        }

        @Override
        public FaultyStore openFaulty(StoreListener listener) {
            FaultySpi faulty = new FaultySpi(open(A_DAY, listener), CALL_LIMIT);
            return new FaultyStore(faulty, faulty);
        }

        @Override
        public Duration callLimit() {
            return CALL_LIMIT;
        }

        @Override
        public StoreAdministration administration() {
            return new InMemoryAdministration(database);
        }

        @Override
        public CatalogueListing listing(StoreListener listener) {
            return new InMemoryCatalogueListing(database, listener);
        }

        @Override
        public boolean recordsExpireByThemselves() {
            return false;
        }

        @Override
        public void close() {
            // Nothing outlives the object.
        }
    }
}
