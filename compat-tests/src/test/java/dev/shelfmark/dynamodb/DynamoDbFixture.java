package dev.shelfmark.dynamodb;

import dev.shelfmark.compat.dynamodb.DynamoDbServer;
import dev.shelfmark.dynamodb.client.DynamoDbClients;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.listing.DynamoDbListing;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A server and a table name of its own for one test class; whatever is opened is closed with it. */
final class DynamoDbFixture implements AutoCloseable {

    private final DynamoDbServer server = DynamoDbServer.start();
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final String table = "shelfmark-" + UUID.randomUUID();

    String table() {
        return table;
    }

    StoreContext context(StoreListener listener, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                DynamoDbStoreConfig.REGION, "eu-central-1",
                DynamoDbStoreConfig.TABLE, table,
                DynamoDbStoreConfig.ENDPOINT, server.endpoint().toString(),
                DynamoDbStoreConfig.ACCESS_KEY_ID, "AKIDTEST",
                DynamoDbStoreConfig.SECRET_ACCESS_KEY, "a secret of no worth",
                DynamoDbStoreConfig.DELETION_PROTECTION, "false",
                DynamoDbStoreConfig.REQUEST_TIMEOUT, "20000",
                DynamoDbStoreConfig.CALL_TIMEOUT, "60000"));
        settings.putAll(more);
        Map<String, Object> config = DynamoDbStoreConfig.DEFINITION.parse(settings);
        return new StoreContext(
                config, new Retention(Duration.ofDays(7), Duration.ofDays(7)), "shelfmark-test", listener);
    }

    CatalogueStore store(StoreListener listener, ExecutionInterceptor... interceptors) {
        return store(context(listener, Map.of()), interceptors);
    }

    CatalogueStore store(StoreContext context, ExecutionInterceptor... interceptors) {
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        CatalogueStore store =
                DynamoDbCatalogueStore.open(config, context, DynamoDbClients.of(config, "test", interceptors));
        return closing(store, store::close);
    }

    CatalogueListing listing(ExecutionInterceptor... interceptors) {
        StoreContext context = context(StoreListener.NONE, Map.of());
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        CatalogueListing listing =
                DynamoDbListing.open(config, context, DynamoDbClients.of(config, "test", interceptors));
        return closing(listing, listing::close);
    }

    DynamoDbAdministration administration(Map<String, String> more, ExecutionInterceptor... interceptors) {
        StoreContext context = context(StoreListener.NONE, more);
        DynamoDbStoreConfig config = new DynamoDbStoreConfig(context.config());
        DynamoDbAdministration administration =
                DynamoDbAdministration.open(config, context, DynamoDbClients.of(config, "test", interceptors));
        return closing(administration, administration::close);
    }

    /** For looking at items, and for changing them behind the store's back. */
    DynamoDbClient client() {
        DynamoDbStoreConfig config =
                new DynamoDbStoreConfig(context(StoreListener.NONE, Map.of()).config());
        DynamoDbClients clients = DynamoDbClients.of(config, "test");
        return closing(clients, clients::close).client();
    }

    private <T> T closing(T resource, Runnable close) {
        opened.push(close);
        return resource;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        server.close();
    }
}
