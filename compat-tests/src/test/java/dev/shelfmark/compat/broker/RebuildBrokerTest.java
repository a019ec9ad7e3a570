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

/** The catalogue of real brokers is lost or goes back, and is rebuilt from the remote storage. */
@Tag("broker")
@Timeout(900)
class RebuildBrokerTest {

    private static final String[] AIVEN = {"--layout", "aiven", "--aiven-custom-metadata", "REMOTE_SIZE,OBJECT_KEY"};
    private static final String BACKUP = "backup";

    @Test
    void aDatabaseThatIsLostAndOneThatIsOlderInAivensLayout() {
        SkippedBackEnds.abortIfNamed("postgres");
        JdbcCatalogue catalogue = JdbcCatalogue.start();
        PostgresNode server = catalogue.server();
        try (RebuildScenarios all = new RebuildScenarios(catalogue, AivenLayoutRemoteStorageManager.class, AIVEN)) {
            all.run(() -> {
                lose(server);
                all.prepareEmpty();
                all.restore(false);

                copy(server, PostgresNode.DATABASE, BACKUP);
                all.workOn();
                copy(server, BACKUP, PostgresNode.DATABASE);
                all.awaitRefusal(true);
                all.restore(true);

                all.stopBrokers();
                copy(server, BACKUP, PostgresNode.DATABASE);
                all.startBrokers();
                all.awaitRefusal(true);
                all.restore(true);
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

    /** Makes a database that has what another has; what is there of its name goes. */
    private static void copy(PostgresNode server, String from, String to) {
        String closing = "alter database " + from + " allow_connections ";
        server.execute("postgres", "drop database if exists " + to + " with (force)");
        server.execute("postgres", closing + "false");
        server.execute(
                "postgres",
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '" + from + "'");
        server.execute("postgres", "create database " + to + " template " + from);
        server.execute("postgres", closing + "true");
        server.execute("postgres", "grant create on database " + to + " to owner");
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
