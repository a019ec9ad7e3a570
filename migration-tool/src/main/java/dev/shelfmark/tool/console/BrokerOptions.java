package dev.shelfmark.tool.console;

import dev.shelfmark.tool.config.ConfigFile;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.KafkaConnection;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a Kafka cluster, as those of Kafka's own tools. */
public final class BrokerOptions {

    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "Brokers of the Kafka cluster, separated by commas.")
    private @Nullable String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the Kafka client, such as those for SASL and TLS.")
    private @Nullable Path commandConfig;

    /** Empty when no brokers are named. */
    public Optional<KafkaConnection> connection() {
        if (bootstrapServer == null) {
            if (commandConfig != null) {
                throw ToolFailure.usage(
                        "--command-config says how to speak to brokers, but not to which: give --bootstrap-server HOST:PORT, too");
            }
            return Optional.empty();
        }
        Properties properties = commandConfig == null ? new Properties() : ConfigFile.properties(commandConfig);
        return Optional.of(new KafkaConnection(bootstrapServer, properties));
    }

    /** For commands that can't do without brokers. */
    public KafkaConnection required() {
        return connection().orElseThrow(() -> ToolFailure.usage("which cluster? Give --bootstrap-server HOST:PORT"));
    }
}
