package dev.shelfmark.compat.broker;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.remote.AivenLayoutRemoteStorageManager;
import dev.shelfmark.compat.remote.FileSystemRemoteStorageManager;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The catalogue of real brokers is lost, and is rebuilt from the remote storage. */
@Tag("broker")
@Timeout(900)
class RebuildBrokerTest {

    private static final String[] AIVEN = {"--layout", "aiven", "--aiven-custom-metadata", "REMOTE_SIZE,OBJECT_KEY"};

    @Test
    void aDatabaseThatIsLostInAivensLayout() {
        SkippedBackEnds.abortIfNamed("postgres");
        JdbcCatalogue catalogue = JdbcCatalogue.start();
        PostgresNode server = catalogue.server();
        try (RebuildScenarios all = new RebuildScenarios(catalogue, AivenLayoutRemoteStorageManager.class, AIVEN)) {
            all.run(() -> {
                lose(server);
                all.prepareEmpty();
                all.restore(false);
            });
        }
    }

    @Test
    void aDatabaseThatIsLostInTheDirectoryLayout() {
        SkippedBackEnds.abortIfNamed("postgres");
        JdbcCatalogue catalogue = JdbcCatalogue.start();
        try (RebuildScenarios all =
                new RebuildScenarios(catalogue, FileSystemRemoteStorageManager.class, "--layout", "directory")) {
            all.run(() -> {
                lose(catalogue.server());
                all.prepareEmpty();
                all.restore(false);
            });
        }
    }

    @Test
    void aTableThatIsLostInDynamoDb() {
        SkippedBackEnds.abortIfNamed("dynamodb");
        try (RebuildScenarios all =
                new RebuildScenarios(DynamoDbCatalogue.start(), AivenLayoutRemoteStorageManager.class, AIVEN)) {
            all.run(() -> {
                deleteTable(all.ownerSettings());
                all.prepareEmpty();
                all.restore(false);
            });
        }
    }

    private static void lose(PostgresNode server) {
        server.dropDatabase(PostgresNode.DATABASE);
        server.createDatabase(PostgresNode.DATABASE);
    }

    private static void deleteTable(Map<String, String> settings) {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(URI.create(settings.getOrDefault("dynamodb.endpoint", "")))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        settings.getOrDefault("dynamodb.credentials.access.key.id", ""), "of-no-worth")))
                .build()) {
            client.deleteTable(request -> request.tableName(settings.getOrDefault("dynamodb.table", "")));
        }
    }
}
