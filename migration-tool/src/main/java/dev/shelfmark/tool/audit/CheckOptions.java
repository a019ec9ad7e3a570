package dev.shelfmark.tool.audit;

import dev.shelfmark.tool.audit.check.CheckSettings;
import dev.shelfmark.tool.audit.check.ClusterTopics;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say from where on something is wrong. */
final class CheckOptions {

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Option(
            names = "--age",
            paramLabel = "AGE",
            defaultValue = "6h",
            description =
                    "What changed within AGE is in flight, and no anomaly; longer than the longest upload or deletion, and than"
                            + " the difference of the brokers' clocks. The default is ${DEFAULT-VALUE}.")
    private Duration age = Duration.ofHours(6);

    @Option(
            names = "--retention",
            paramLabel = "AGE",
            defaultValue = "7d",
            description = "How long topics keep their records, where no broker tells. The default is ${DEFAULT-VALUE}.")
    private Duration retention = Duration.ofDays(7);

    @Option(
            names = "--purge-after",
            paramLabel = "AGE",
            defaultValue = "10d",
            description =
                    "How long after a deletion its record must be gone: the brokers' deleted.segments.retention.ms and some"
                            + " days, in which DynamoDB removes what has expired. The default is ${DEFAULT-VALUE}.")
    private Duration purgeAfter = Duration.ofDays(10);

    @Option(
            names = "--small-segments",
            paramLabel = "N",
            defaultValue = "1000",
            description = "A partition of N segments has very many. The default is ${DEFAULT-VALUE}.")
    private long smallSegments = 1_000;

    @Option(
            names = "--small-bytes",
            paramLabel = "BYTES",
            defaultValue = "1048576",
            description = "Segments below BYTES on average are very small. The default is ${DEFAULT-VALUE}.")
    private long smallBytes = 1024 * 1024;

    CheckSettings settings(ToolContext surroundings) {
        if (smallSegments < 1) {
            throw ToolFailure.usage("--small-segments must be 1 or more");
        }
        if (smallBytes < 0) {
            throw ToolFailure.usage("--small-bytes must be 0 or more");
        }
        return new CheckSettings(surroundings.clock().instant(), age, retention, purgeAfter, smallSegments, smallBytes);
    }

    /** What the brokers tell of their topics; null when none are named. */
    @Nullable
    ClusterTopics topics(ToolContext surroundings) {
        return brokers.connection()
                .map(connection -> {
                    try (Brokers cluster = surroundings.brokers().connect(connection)) {
                        Map<UUID, Long> retentionMs = new HashMap<>();
                        cluster.topics()
                                .forEach((id, topic) -> retentionMs.put(
                                        new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                                        topic.retentionMs()));
                        if (retentionMs.isEmpty()) {
                            throw ToolFailure.kafka(
                                    "the brokers show this login no topic at all: it needs the right to describe every topic,"
                                            + " or leave out --bootstrap-server",
                                    null);
                        }
                        return new ClusterTopics(cluster.clusterId(), retentionMs);
                    }
                })
                .orElse(null);
    }
}
