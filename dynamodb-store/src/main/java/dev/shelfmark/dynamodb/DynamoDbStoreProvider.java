package dev.shelfmark.dynamodb;

import dev.shelfmark.dynamodb.client.DynamoDbClients;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.listing.DynamoDbListing;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import org.apache.kafka.common.config.ConfigDef;

/** {@code rlmm.config.store=dynamodb}. */
public final class DynamoDbStoreProvider implements StoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public DynamoDbStoreProvider() {}

    @Override
    public String name() {
        return "dynamodb";
    }

    @Override
    public ConfigDef configDef() {
        return DynamoDbStoreConfig.DEFINITION;
    }

    @Override
    public CatalogueStore open(StoreContext context) {
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        return DynamoDbCatalogueStore.open(config, context, DynamoDbClients.of(config, context.applicationName()));
    }

    @Override
    public StoreAdministration administration(StoreContext context) {
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        return DynamoDbAdministration.open(config, context, DynamoDbClients.of(config, context.applicationName()));
    }

    @Override
    public CatalogueListing listing(StoreContext context) {
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        return DynamoDbListing.open(config, context, DynamoDbClients.of(config, context.applicationName()));
    }
}
