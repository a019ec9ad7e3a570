package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** Lets a plugin be configured with a store that a test has made: its one setting is what opens it. */
public final class HarnessStoreProvider implements StoreProvider {

    private static final String NAME = "compat";
    private static final String OPENER = NAME + ".opener";

    /** Opens a store for a plugin. */
    @FunctionalInterface
    interface Opener {
        CatalogueStore open(Retention retention, StoreListener listener);
    }

    /** For {@link java.util.ServiceLoader}. */
    public HarnessStoreProvider() {}

    /** The settings that make a plugin use a store. Kafka's settings have no type for objects, but leave what is in a list alone. */
    static Map<String, Object> settings(Opener opener) {
        return Map.of("store", NAME, OPENER, List.of(opener));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ConfigDef configDef() {
        return new ConfigDef()
                .define(
                        OPENER,
                        ConfigDef.Type.LIST,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.Importance.HIGH,
                        "Opens the store of a test.");
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        if (context.config().get(OPENER) instanceof List<?> list && list.get(0) instanceof Opener opener) {
            return opener.open(context.retention(), context.listener());
        }
        throw new IllegalArgumentException(OPENER + " must be one opener, as HarnessStoreProvider.settings makes it");
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        throw new UnsupportedOperationException("a test asks its harness");
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        throw new UnsupportedOperationException("a test asks its harness");
    }
}
