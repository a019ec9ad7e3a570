package dev.shelfmark.migration.brokers;

import dev.shelfmark.migration.outcome.ToolFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** {@link Brokers} through Kafka's admin client. */
public final class KafkaBrokers implements Brokers {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final KafkaConnection connection;
    private final Admin admin;

    public KafkaBrokers(KafkaConnection connection) {
        this.connection = connection;
        try {
            this.admin = Admin.create(connection.settings());
        } catch (RuntimeException e) {
            throw KafkaErrors.translate(connection, "open a client", e);
        }
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
                    .map(partition -> new TopicPartition(MetadataTopic.NAME, partition))
                    .toList();
            Map<TopicPartition, ListOffsetsResultInfo> starts = offsets(partitions, OffsetSpec.earliest());
            Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(partitions, OffsetSpec.latest());
            List<MetadataTopic.Offsets> offsets = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                offsets.add(new MetadataTopic.Offsets(
                        partition.partition(), offset(starts, partition), offset(ends, partition)));
            }
            return new MetadataTopic(offsets);
        });
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
                "list the offsets of " + MetadataTopic.NAME,
                admin.listOffsets(request).all());
    }

    private <T> T get(String action, KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw KafkaErrors.translate(connection, action, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.kafka("interrupted while it tried to " + action, e);
        }
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
