package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that want a login: the command takes Kafka's own client settings, and a wrong password is one line without it. */
@Tag("broker")
class LoginBrokerTest {

    private static final String PASSWORD = "right-and-secret";

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void skippedAloud() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void importsThroughALogin() throws IOException {
        try (CatalogueServer catalogue = JdbcCatalogue.start();
                TestCluster cluster =
                        TestCluster.builder().users(Map.of("ada", PASSWORD)).start()) {
            tiered(cluster);
            ShelfmarkCommand tool =
                    ShelfmarkCommand.in(directory, catalogue.ownerSettings(), cluster.securedBootstrapServers());

            Result refused = tool.run("import", "--command-config", login("wrong-but-secret"));
            assertThat(refused.exit()).isEqualTo(4);
            assertThat(refused.output())
                    .contains("refused the login", "--command-config")
                    .doesNotContain("wrong-but-secret");

            Result imported = tool.run("import", "--command-config", login(PASSWORD));
            assertThat(imported.exit()).as(imported.output()).isZero();
            assertThat(imported.output()).contains("secured").doesNotContain(PASSWORD);
            Result verified = tool.run("verify", "--command-config", login(PASSWORD));
            assertThat(verified.exit()).as(verified.output()).isZero();
        }
    }

    @Test
    void importsThroughTls() throws IOException {
        Keystore certificate = Keystore.create(directory.resolve("broker.p12"), "of-the-keystore");
        Keystore another = Keystore.create(directory.resolve("another.p12"), "of-another");
        try (CatalogueServer catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        .users(Map.of("ada", PASSWORD))
                        .certificate(certificate)
                        .start()) {
            tiered(cluster);
            ShelfmarkCommand tool =
                    ShelfmarkCommand.in(directory, catalogue.ownerSettings(), cluster.securedBootstrapServers());

            Result untrusted = tool.run("import", "--command-config", tls(PASSWORD, another));
            told(untrusted, 4, "no TLS connection", "certificat", "--command-config");
            Result wrong = tool.run("import", "--command-config", tls("wrong-but-secret", certificate));
            told(wrong, 4, "refused the login", "--command-config");
            Result locked = tool.run(
                    "import", "--command-config", tls(PASSWORD, new Keystore(certificate.file(), "wrong-but-secret")));
            told(locked, 2, "Failed to load SSL keystore", "password was incorrect");
            Result plain = tool.run("import", "--command-config", login(PASSWORD));
            told(plain, 4, "no answer from the brokers", "wants TLS");
            Result unasked = ShelfmarkCommand.in(
                            directory.resolve("plain"), catalogue.ownerSettings(), cluster.bootstrapServers())
                    .run("import", "--command-config", tls(PASSWORD, certificate));
            told(unasked, 4, "brokers", "--command-config");

            Result imported = tool.run("import", "--command-config", tls(PASSWORD, certificate));
            told(imported, 0, "secured");
            Result verified = tool.run("verify", "--command-config", tls(PASSWORD, certificate));
            told(verified, 0, "partitions match");
        }
    }

    @Test
    void theRightsThatTheDocumentationNamesAreEnough() throws Exception {
        try (CatalogueServer catalogue = JdbcCatalogue.start();
                TestCluster cluster = TestCluster.builder()
                        .users(Map.of("ada", PASSWORD))
                        .brokerConfig(
                                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                        .brokerConfig("super.users", "User:ANONYMOUS")
                        .start()) {
            TieredTopic topic = tiered(cluster);
            ShelfmarkCommand tool =
                    ShelfmarkCommand.in(directory, catalogue.ownerSettings(), cluster.securedBootstrapServers());
            String login = login(PASSWORD);

            told(tool.run("import", "--command-config", login), 4, "do not allow this client", "grant the right");
            grant(cluster, "__remote_log_metadata", AclOperation.DESCRIBE);
            told(tool.run("import", "--command-config", login), 4, "do not allow this client", "settings of topics");
            grant(cluster, "__remote_log_metadata", AclOperation.DESCRIBE_CONFIGS);
            grant(cluster, "__remote_log_metadata", AclOperation.READ);
            told(tool.run("import", "--command-config", login), 0, "secured");
            told(tool.run("verify", "--command-config", login), 0, "partitions match");
            // Which topics are copied is not told to who may not see them.
            Result blind = tool.run("cutover", "--offline", "--command-config", login);
            assertThat(blind.exit()).as(blind.output()).isEqualTo(1);
            assertThat(blind.output()).contains("do not tell this login of 1 topics", "(secured)", "DescribeConfigs");
            grant(cluster, "*", AclOperation.DESCRIBE);
            grant(cluster, "*", AclOperation.DESCRIBE_CONFIGS);
            Result seeing = tool.run("cutover", "--offline", "--command-config", login);
            assertThat(seeing.exit()).as(seeing.output()).isEqualTo(1);
            assertThat(seeing.output()).contains("1 tiered topics are still copied (secured)");
            Result ready = tool.run("cutover", "--offline", "--force", "--command-config", login);
            assertThat(ready.exit()).as(ready.output()).isZero();

            told(tool.run("export", "--command-config", login), 0, "holds what the catalogue holds");
            catalogue.write(
                    cluster.clusterId(),
                    new TopicIdPartition(topic.id(), new TopicPartition("secured", 0)),
                    List.of(Events.added(UUID.randomUUID(), 1_000_000, 1_000_009)));
            Result refused = tool.run("export", "--command-config", login);
            assertThat(refused.exit()).as(refused.output()).isEqualTo(4);
            assertThat(refused.output()).contains("do not allow this client to write", "grant the right");
            grant(cluster, "__remote_log_metadata", AclOperation.WRITE);
            told(tool.run("export", "--command-config", login), 0, "holds what the catalogue holds");
        }
    }

    /** A topic of which something is tiered. */
    private static TieredTopic tiered(TestCluster cluster) {
        TieredTopic topic = cluster.create(TopicSpec.named("secured", 1));
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(200);
            topic.awaitTiered(0);
        }
        return topic;
    }

    private static void grant(TestCluster cluster, String topic, AclOperation operation) throws Exception {
        cluster.admin()
                .createAcls(List.of(new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                        new AccessControlEntry("User:ada", "*", operation, AclPermissionType.ALLOW))))
                .all()
                .get();
    }

    private static void told(Result result, int exit, String... texts) {
        assertThat(result.exit()).as(result.output()).isEqualTo(exit);
        assertThat(result.output())
                .contains(texts)
                .doesNotContain(PASSWORD, "wrong-but-secret", "of-the-keystore", "of-another", "\tat ");
        if (exit != 0) {
            assertThat(result.output().lines()).hasSize(1);
        }
    }

    private String tls(String password, Keystore trusted) throws IOException {
        String settings = Files.readString(Path.of(login(password))).replace("SASL_PLAINTEXT", "SASL_SSL")
                + """
                ssl.truststore.type=PKCS12
                ssl.truststore.location=%s
                ssl.truststore.password=%s
                """.formatted(trusted.file(), trusted.password());
        return Files.writeString(directory.resolve("tls.properties"), settings).toString();
    }

    private String login(String password) throws IOException {
        Path file = Files.writeString(directory.resolve("client.properties"), """
                default.api.timeout.ms=10000
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
                username="ada" password="%s";
                """.formatted(password));
        return file.toString();
    }
}
