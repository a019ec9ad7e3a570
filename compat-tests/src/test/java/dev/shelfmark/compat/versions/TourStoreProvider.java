package dev.shelfmark.compat.versions;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** A store in memory for {@link PluginTour}, which is loaded apart from everything else. */
public final class TourStoreProvider implements StoreProvider {

    private static final String DATABASE = "tour.database";

    /** For {@link java.util.ServiceLoader}. */
    public TourStoreProvider() {}

    static Map<String, Object> settings(InMemoryCatalogueStore.Database database) {
        return Map.of("store", "tour", DATABASE, List.of(database));
    }

    @Override
    public String name() {
        return "tour";
    }

    @Override
    public ConfigDef configDef() {
        return new ConfigDef()
                .define(DATABASE, ConfigDef.Type.LIST, ConfigDef.Importance.HIGH, "The database, alone in a list.");
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        if (context.config().get(DATABASE) instanceof List<?> list
                && list.get(0) instanceof InMemoryCatalogueStore.Database database) {
            return new InMemoryCatalogueStore(database, context.retention(), context.listener());
        }
        throw new IllegalArgumentException(DATABASE + " must be a database in a list");
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        throw new UnsupportedOperationException("nothing to administer");
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        throw new UnsupportedOperationException("nothing to list");
    }
}
