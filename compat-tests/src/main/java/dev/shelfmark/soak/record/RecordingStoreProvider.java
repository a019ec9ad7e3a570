package dev.shelfmark.soak.record;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;

/** Another provider, named by {@value #STORE}, whose stores write down what they are asked into the directory {@value #DIRECTORY}. */
public final class RecordingStoreProvider implements StoreProvider {

    /** The store's name in the plugin's settings. */
    public static final String NAME = "recorded";

    /** The system property with the name of the store that does the work. */
    public static final String STORE = "shelfmark.soak.store";

    /** The system property with the directory of the records. */
    public static final String DIRECTORY = "shelfmark.soak.records";

    /** The system property with the {@link Plant} to break the store with, if any. */
    public static final String PLANT = "shelfmark.soak.plant";

    /** For the service loader. */
    public RecordingStoreProvider() {}

    private static StoreProvider other() {
        String store = System.getProperty(STORE, "");
        return ServiceLoader.load(StoreProvider.class, RecordingStoreProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(store))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("-D" + STORE + "=" + store + " names no store"));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ConfigDef configDef() {
        return other().configDef();
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        CatalogueStore store = other().open(context);
        Recorder recorder = new Recorder(Path.of(System.getProperty(DIRECTORY, ""), context.applicationName()));
        Plant plant = Plant.valueOf(System.getProperty(PLANT, Plant.NONE.name()));
        Set<Class<?>> interfaces = new LinkedHashSet<>(Set.of(CatalogueStore.class));
        for (Class<?> type = store.getClass(); type != null; type = type.getSuperclass()) {
            interfaces.addAll(Set.of(type.getInterfaces()));
        }
        return (CatalogueStore) Proxy.newProxyInstance(
                RecordingStoreProvider.class.getClassLoader(),
                interfaces.toArray(Class<?>[]::new),
                new RecordedCalls(store, plant, recorder));
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        return other().administration(context);
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        return other().listing(context);
    }
}
