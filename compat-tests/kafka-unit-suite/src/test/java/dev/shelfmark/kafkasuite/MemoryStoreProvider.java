package dev.shelfmark.kafkasuite;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** The reference store by the name {@code memory}, on a database that a test hands over in the settings. */
public final class MemoryStoreProvider implements StoreProvider {

    private static final String NAME = "memory";
    private static final String DATABASE = NAME + ".database";

    /** For {@link java.util.ServiceLoader}. */
    public MemoryStoreProvider() {}

    /** The settings of a plugin that uses this database. Kafka's settings have no type for objects, but leave what is in a list alone. */
    static Map<String, Object> settings(InMemoryCatalogueStore.Database database) {
        return Map.of("store", NAME, DATABASE, List.of(database));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ConfigDef configDef() {
        return new ConfigDef()
                .define(
                        DATABASE,
                        ConfigDef.Type.LIST,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.Importance.HIGH,
                        "A list of one database.");
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        if (context.config().get(DATABASE) instanceof List<?> list
                && list.get(0) instanceof InMemoryCatalogueStore.Database database) {
            return new InMemoryCatalogueStore(database, context.retention(), context.listener());
        }
        throw new IllegalArgumentException(DATABASE + " is not what MemoryStoreProvider.settings makes of a database");
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        throw new UnsupportedOperationException("a test has the database itself");
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        throw new UnsupportedOperationException("a test has the database itself");
    }
}
