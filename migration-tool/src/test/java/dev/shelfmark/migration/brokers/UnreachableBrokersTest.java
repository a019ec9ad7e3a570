package dev.shelfmark.migration.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shelfmark.migration.outcome.ExitCode;
import dev.shelfmark.migration.outcome.ToolFailure;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What Kafka's own client says of brokers that it can't even begin to ask. */
class UnreachableBrokersTest {

    private static ToolFailure failure(String bootstrapServers) {
        return catchThrowableOfType(
                ToolFailure.class, () -> new KafkaBrokers(new KafkaConnection(bootstrapServers, new Properties())));
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
}
