package dev.shelfmark.plugin;

import dev.shelfmark.plugin.metrics.RlmmMetrics;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * What stands behind Kafka's interface in a configured broker. Reads that can't be answered now throw what Kafka's callers retry; futures end by a
 * deadline; the callbacks neither block nor throw.
 */
public interface MetadataService extends AutoCloseable {

    /** Reports an added segment. */
    CompletableFuture<Void> add(RemoteLogSegmentMetadata segment);

    /** Reports an update. */
    CompletableFuture<Void> update(RemoteLogSegmentMetadataUpdate update);

    /** Reports a step of a partition's deletion. */
    CompletableFuture<Void> deletePartition(RemotePartitionDeleteMetadata deletion);

    /** The segment to read an offset of an epoch from. */
    Optional<RemoteLogSegmentMetadata> lookup(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException;

    /** The next segment of an epoch that may have a transaction index. */
    Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException;

    /** The highest offset of an epoch that was ever copied. */
    Optional<Long> highestOffset(TopicIdPartition partition, int epoch) throws RemoteStorageException;

    /** Every segment. */
    Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition) throws RemoteStorageException;

    /** Every segment of an epoch. */
    Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition, int epoch) throws RemoteStorageException;

    /** The summed size of an epoch's segments. */
    long sizeInBytes(TopicIdPartition partition, int epoch) throws RemoteStorageException;

    /** Leads and follows these partitions from now on. */
    void leadershipChanged(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers);

    /** Has no more to do with these partitions. */
    void stopped(Set<TopicIdPartition> partitions);

    /** Whether questions about a partition are answered. */
    boolean ready(TopicIdPartition partition);

    /** Publishes the metrics to the broker too. */
    void publishMetricsTo(BiConsumer<RlmmMetrics.Metric, Gauge<?>> publisher);

    @Override
    void close();
}
