package dev.shelfmark.jdbc;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.listing.JdbcListing;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import org.apache.kafka.common.config.ConfigDef;

/** The way into the PostgreSQL store, by the name {@code jdbc}. */
public final class JdbcStoreProvider implements StoreProvider {

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public ConfigDef configDef() {
        return JdbcStoreConfig.definition();
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        return JdbcCatalogueStore.open(JdbcStoreConfig.of(context.config()), context);
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        return JdbcAdministration.open(JdbcStoreConfig.of(context.config()), context);
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        return JdbcListing.open(JdbcStoreConfig.of(context.config()), context);
    }
}
