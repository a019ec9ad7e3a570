package dev.shelfmark.tool.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.errors.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kafka's own client says of brokers that it can't even begin to ask. */
class UnreachableBrokersTest {

    private static ToolFailure failure(String bootstrapServers) {
        return failure(bootstrapServers, Map.of());
    }

    private static ToolFailure failure(String bootstrapServers, Map<String, String> settings) {
        return catchThrowableOfType(
                ToolFailure.class, () -> new KafkaBrokers(new KafkaConnection(bootstrapServers, properties(settings))));
    }

    private static Properties properties(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        return properties;
    }

    private static Map<String, String> login(String jaas) {
        return Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", "sasl.jaas.config", jaas);
    }

    @Test
    void aNameThatNobodyKnowsIsAClusterThatCantBeReached() {
        ToolFailure failure = failure("broker.invalid:9092,other.invalid:9092");

        assertThat(failure.exitCode()).isEqualTo(ExitCode.KAFKA);
        assertThat(failure)
                .hasMessageContaining("no host of --bootstrap-server broker.invalid:9092,other.invalid:9092");
    }

    @Test
    void anAddressThatIsNoneIsAWrongCommandLine() {
        assertThat(failure("broker").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "some.LoginModule required username=ada password=correct horse;",
                "some.LoginModule required username=ada password=pass=horse;",
                "some.LoginModule horse;",
                "horse",
            })
    void aPasswordWithoutQuotesIsNotTold(String jaas) {
        ToolFailure failure = failure("127.0.0.1:1", login(jaas));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(failure).hasMessageContaining("--command-config");
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("horse");
    }

    @Test
    void aFileThatIsNotThereIsAWrongSettingAndNamed() {
        ToolFailure failure = failure(
                "127.0.0.1:1", Map.of("security.protocol", "SSL", "ssl.truststore.location", "/nowhere/trust.jks"));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(failure)
                .hasMessageContaining("Failed to load SSL keystore")
                .hasMessageContaining("there is no /nowhere");
    }

    @ParameterizedTest
    @CsvSource({"default.api.timeout.ms,3000", "request.timeout.ms,90000"})
    void ofTwoLimitsOneMayBeSetAlone(String key, String value) {
        KafkaConnection connection = new KafkaConnection("127.0.0.1:1", properties(Map.of(key, value)));

        new KafkaBrokers(connection).close();
        new KafkaMetadataReader(connection).close();
        new KafkaMetadataWriter(connection, new CallLimit(connection)).close();
        assertThat(connection.settings()).containsEntry(key, value);
    }

    @Test
    @Timeout(20)
    void noCallLastsLongerThanWhatItIsPartOf() throws IOException {
        // It takes connections, which the kernel does for it, and never answers.
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KafkaBrokers brokers =
                        new KafkaBrokers(new KafkaConnection("127.0.0.1:" + silent.getLocalPort(), new Properties()))) {
            brokers.endBy(Deadline.in(Duration.ofSeconds(2)));
            assertGivenUp(brokers::registeredBrokers);
            assertGivenUp(brokers::metadataTopic);
            try (MetadataWriter writer = brokers.writer()) {
                assertGivenUp(() -> {
                    writer.send(0, new byte[1]);
                    writer.flush();
                });
            }
        }
    }

    private static void assertGivenUp(ThrowingCallable call) {
        ToolFailure failure = catchThrowableOfType(ToolFailure.class, call);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.KAFKA);
        assertThat(failure)
                .hasMessageContaining("no answer from the brokers")
                .hasCauseInstanceOf(TimeoutException.class);
    }
}
