package dev.shelfmark.tool.kafka;

import dev.shelfmark.retry.Deadline;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A Kafka cluster, as an operator's client sees it. Every call ends within the client's limits. */
public interface Brokers extends AutoCloseable {

    /** From now on every call ends by this deadline, too, or a moment later; a writer that is opened keeps to it. */
    void endBy(Deadline deadline);

    /** The cluster's id. */
    String clusterId();

    /** The topic of Kafka's default metadata manager; empty only when the brokers say that there is none. */
    Optional<MetadataTopic> metadataTopic();

    /** Every topic that this login may see, by id. */
    Map<Uuid, TopicInfo> topics();

    /** The log start offsets of partitions that the cluster has. */
    Map<TopicPartition, Long> logStartOffsets(Set<TopicPartition> partitions);

    /**
     * The brokers that are registered with the controller, by id, each with whether it serves. One that is down is among them until somebody
     * unregisters it, where the brokers tell.
     */
    Map<Integer, Boolean> registeredBrokers();

    /** Opens a reader of the metadata topic; nothing is read before it is told where to begin. */
    MetadataReader reader();

    /** Opens a writer to the metadata topic. */
    MetadataWriter writer();

    /**
     * Creates the metadata topic as Kafka's default would: never tiered, never compacted, kept for ever. One that is there is left
     * as it is.
     */
    void createMetadataTopic(int partitions, short replicationFactor);

    @Override
    void close();

    /** Opens connections to clusters. */
    @FunctionalInterface
    interface Connector {
        /** Connects lazily: an unreachable cluster shows with the first call. */
        Brokers connect(KafkaConnection connection);
    }
}
