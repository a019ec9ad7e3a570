package dev.shelfmark.compat.dynamodb;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.FaultyStore;
import dev.shelfmark.compat.SpoilableHarness;
import dev.shelfmark.dynamodb.DynamoDbStoreProvider;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A table of its own on a server. */
final class DynamoDbHarness implements SpoilableHarness {

    /** An emulator on a busy machine is slower than DynamoDB. */
    private static final Map<String, String> PATIENT =
            Map.of("dynamodb.request.timeout.ms", "15000", "dynamodb.call.timeout.ms", "45000");

    private static final Duration CALL_LIMIT = Duration.ofSeconds(4);

    private final StoreProvider provider = new DynamoDbStoreProvider();
    private final DynamoDbServer server;
    private final DenyingEndpoint denying = new DenyingEndpoint();
    private final String table = "shelfmark-compat-" + UUID.randomUUID();
    private final Map<String, String> settings;

    DynamoDbHarness(DynamoDbServer server) {
        this.server = server;
        this.settings = DynamoDbSettings.of(server, table);
    }

    void createTable() {
        try (StoreAdministration administration = administration()) {
            administration.migrate();
        }
    }

    @Override
    public CatalogueStore open(Retention retention, StoreListener listener) {
        return provider.open(context(PATIENT, retention, listener));
    }

    @Override
    public FaultyStore openFaulty(StoreListener listener) {
        URI endpoint = server.endpoint();
        FaultProxy proxy = new FaultProxy(endpoint.getHost(), endpoint.getPort());
        Map<String, String> more = Map.of(
                "dynamodb.endpoint",
                "http://" + proxy.host() + ":" + proxy.port(),
                "dynamodb.connect.timeout.ms",
                "300",
                "dynamodb.request.timeout.ms",
                "500",
                "dynamodb.call.timeout.ms",
                Long.toString(CALL_LIMIT.toMillis()),
                "dynamodb.load.timeout.ms",
                Long.toString(CALL_LIMIT.toMillis()));
        return new FaultyStore(provider.open(context(more, A_DAY, listener)), proxy);
    }

    @Override
    public Duration callLimit() {
        return CALL_LIMIT;
    }

    @Override
    public StoreAdministration administration() {
        return provider.administration(context(PATIENT, A_DAY, StoreListener.NONE));
    }

    @Override
    public CatalogueListing listing(StoreListener listener) {
        return provider.listing(context(PATIENT, A_DAY, listener));
    }

    @Override
    public boolean recordsExpireByThemselves() {
        return true;
    }

    @Override
    public CatalogueStore openWithoutSchema() {
        return open(Map.of("dynamodb.table", table + "-not-there"));
    }

    @Override
    public CatalogueStore openWithoutRights(String secret) {
        return open(Map.of(
                "dynamodb.endpoint", denying.endpoint().toString(), "dynamodb.credentials.secret.access.key", secret));
    }

    private CatalogueStore open(Map<String, String> more) {
        return provider.open(context(more, A_DAY, StoreListener.NONE));
    }

    @Override
    public void spoilClusterState(String clusterId) {
        spoilState("clusters", clusterId);
    }

    @Override
    public void spoilSegmentState(PartitionKey key, UUID segmentId) {
        spoilState("partition#" + key, "SEGMENT#" + TextualId.of(segmentId));
    }

    private void spoilState(String pk, String sk) {
        try (TableSpoiler spoiler = new TableSpoiler(server.endpoint(), table)) {
            spoiler.spoilState(pk, sk);
        }
    }

    private StoreContext context(Map<String, String> more, Retention retention, StoreListener listener) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new StoreContext(provider.configDef().parse(all), retention, "shelfmark-compat", listener);
    }

    /** The table stays on a server that is not ours: it is the server's owner who throws it away. */
    @Override
    public void close() {
        denying.close();
        server.close();
    }
}
