package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;

/**
 * A store and what can go wrong between it and its server.
 *
 * @param store the store under test
 * @param faults disturbs it
 */
public record FaultyStore(CatalogueStore store, Faults faults) implements AutoCloseable {

    @Override
    public void close() {
        store.close();
        faults.close();
    }
}
