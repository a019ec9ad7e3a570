package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.compat.broker.ShelfmarkCommand.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
            TieredTopic topic = cluster.create(TopicSpec.named("secured", 1));
            try (Ledger ledger = new Ledger(topic, 0)) {
                ledger.write(200);
                topic.awaitTiered(0);
            }
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

    private String login(String password) throws IOException {
        Path file = Files.writeString(directory.resolve("client.properties"), """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
                username="ada" password="%s";
                """.formatted(password));
        return file.toString();
    }
}
