package dev.shelfmark.store;

import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import org.apache.kafka.common.config.ConfigDef;

/** The way into a back end, found by {@link java.util.ServiceLoader}. Stateless. */
public interface StoreProvider {

    /** The name by which {@code rlmm.config.store} chooses it, such as {@code jdbc}; also the prefix of its settings. */
    String name();

    /** Its settings, each named with the prefix {@code name() + "."}. Secrets are of type PASSWORD. */
    ConfigDef configDef();

    /**
     * A store for brokers and tools, with the rights of a broker. Returns at once: nothing is connected before the first call.
     *
     * @throws org.apache.kafka.common.config.ConfigException when settings contradict each other
     */
    CatalogueStore open(StoreContext context);

    /** What an operator does with the back end, with the rights of its owner. Returns at once, as {@link #open}. */
    StoreAdministration administration(StoreContext context);

    /** Goes through all that the store keeps, with the rights of an auditor. Returns at once, as {@link #open}. */
    CatalogueListing listing(StoreContext context);
}
