package dev.shelfmark.tool.kafka;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** {@link Brokers} through Kafka's admin client. */
public final class KafkaBrokers implements Brokers {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int CONFIGS_PER_REQUEST = 500;

    private final KafkaConnection connection;
    private final Admin admin;
    private final CallLimit limit;

    public KafkaBrokers(KafkaConnection connection) {
        this.connection = connection;
        this.limit = new CallLimit(connection);
        try {
            this.admin = Admin.create(connection.settings());
        } catch (RuntimeException e) {
            throw BrokerErrors.untried(connection, e);
        }
    }

    @Override
    public void endBy(Deadline deadline) {
        limit.endBy(deadline);
    }

    @Override
    public String clusterId() {
        return get("tell the cluster's id", admin.describeCluster().clusterId());
    }

    @Override
    public Optional<MetadataTopic> metadataTopic() {
        return description(MetadataTopic.NAME).map(topic -> {
            List<TopicPartition> partitions = topic.partitions().stream()
                    .map(TopicPartitionInfo::partition)
                    .sorted()
                    .map(partition -> new TopicPartition(MetadataTopic.NAME, partition))
                    .toList();
            Map<TopicPartition, ListOffsetsResultInfo> starts = offsets(partitions, OffsetSpec.earliest());
            Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(partitions, OffsetSpec.latest());
            List<MetadataTopic.Offsets> offsets = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                offsets.add(new MetadataTopic.Offsets(
                        partition.partition(), offset(starts, partition), offset(ends, partition)));
            }
            Config config = configs(List.of(MetadataTopic.NAME)).get(MetadataTopic.NAME);
            return new MetadataTopic(
                    topic.topicId(),
                    offsets,
                    number(config, TopicConfig.RETENTION_MS_CONFIG),
                    number(config, TopicConfig.RETENTION_BYTES_CONFIG),
                    text(config, TopicConfig.CLEANUP_POLICY_CONFIG));
        });
    }

    @Override
    public Map<Uuid, TopicInfo> topics() {
        List<TopicListing> listed =
                List.copyOf(get("list the topics", admin.listTopics().listings()));
        Map<String, Config> configs =
                configs(listed.stream().map(TopicListing::name).toList());
        Map<Uuid, TopicInfo> topics = new HashMap<>();
        for (TopicListing topic : listed) {
            Config config = configs.get(topic.name());
            topics.put(
                    topic.topicId(),
                    new TopicInfo(
                            topic.name(),
                            Boolean.parseBoolean(text(config, TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG)),
                            number(config, TopicConfig.RETENTION_MS_CONFIG),
                            Boolean.parseBoolean(text(config, TopicConfig.REMOTE_LOG_COPY_DISABLE_CONFIG))));
        }
        return topics;
    }

    @Override
    public Map<TopicPartition, Long> logStartOffsets(Set<TopicPartition> partitions) {
        Map<TopicPartition, Long> starts = new HashMap<>();
        offsets(List.copyOf(partitions), OffsetSpec.earliest())
                .forEach((partition, info) -> starts.put(partition, info.offset()));
        return starts;
    }

    @Override
    public Map<Integer, Boolean> registeredBrokers() {
        try {
            return brokers(new DescribeClusterOptions().includeFencedBrokers(true));
        } catch (ToolFailure e) {
            if (e.getCause() instanceof UnsupportedVersionException) {
                return brokers(new DescribeClusterOptions());
            }
            throw e;
        }
    }

    private Map<Integer, Boolean> brokers(DescribeClusterOptions options) {
        Map<Integer, Boolean> brokers = new TreeMap<>();
        get("list the brokers", admin.describeCluster(options).nodes())
                .forEach(node -> brokers.put(node.id(), !node.isFenced()));
        return brokers;
    }

    private Map<String, Config> configs(List<String> topics) {
        Map<String, Config> configs = new HashMap<>();
        for (int from = 0; from < topics.size(); from += CONFIGS_PER_REQUEST) {
            List<ConfigResource> resources =
                    topics.subList(from, Math.min(topics.size(), from + CONFIGS_PER_REQUEST)).stream()
                            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                            .toList();
            get(
                            "describe the settings of topics",
                            admin.describeConfigs(resources).all())
                    .forEach((resource, config) -> configs.put(resource.name(), config));
        }
        return configs;
    }

    private static String text(@Nullable Config config, String key) {
        ConfigEntry entry = config == null ? null : config.get(key);
        return entry == null || entry.value() == null ? "" : entry.value();
    }

    private static long number(@Nullable Config config, String key) {
        String text = text(config, key);
        return text.isEmpty() ? -1 : Long.parseLong(text);
    }

    @Override
    public MetadataReader reader() {
        return new KafkaMetadataReader(connection);
    }

    @Override
    public MetadataWriter writer() {
        return new KafkaMetadataWriter(connection, limit);
    }

    @Override
    public void createMetadataTopic(int partitions, short replicationFactor) {
        NewTopic topic = new NewTopic(MetadataTopic.NAME, partitions, replicationFactor)
                .configs(Map.of(
                        TopicConfig.RETENTION_MS_CONFIG, "-1",
                        TopicConfig.RETENTION_BYTES_CONFIG, "-1",
                        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG, "false"));
        try {
            get(
                    "create the topic " + MetadataTopic.NAME,
                    admin.createTopics(List.of(topic)).all());
        } catch (ToolFailure e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private static long offset(Map<TopicPartition, ListOffsetsResultInfo> offsets, TopicPartition partition) {
        ListOffsetsResultInfo info = offsets.get(partition);
        if (info == null) {
            throw ToolFailure.kafka("the brokers told no offsets of " + partition + "; try again", null);
        }
        return info.offset();
    }

    private Optional<TopicDescription> description(String topic) {
        KafkaFuture<TopicDescription> described =
                admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
        try {
            return described == null ? Optional.empty() : Optional.of(get("describe the topic " + topic, described));
        } catch (ToolFailure e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(List<TopicPartition> partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> request = new HashMap<>();
        partitions.forEach(partition -> request.put(partition, which));
        return get(
                "list the offsets of " + partitions.get(0).topic() + (partitions.size() > 1 ? " and others" : ""),
                admin.listOffsets(request).all());
    }

    private <T> T get(String action, KafkaFuture<T> future) {
        return limit.get(action, future.toCompletionStage().toCompletableFuture());
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
