package dev.shelfmark;

import dev.shelfmark.plugin.AnswerWaits;
import dev.shelfmark.plugin.CataloguePlugin;
import dev.shelfmark.plugin.MetadataService;
import dev.shelfmark.plugin.bridge.Bridge;
import dev.shelfmark.plugin.config.RlmmConfig;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the metadata of Kafka's tiered storage in a database. Named by {@code remote.log.metadata.manager.class.name}; its settings
 * are in {@code docs/configuration.md}.
 *
 * <p>Reads that can't be answered now throw {@link org.apache.kafka.common.errors.ReplicaNotAvailableException}, which brokers and clients retry;
 * no read is ever answered as empty because something is not available. On the broker's remote readers, whose clients ask again at once, they first wait
 * a moment for the answer to become possible. Writes fail their future. Every method may be called by many threads,
 * before {@link #configure} and after {@link #close}.
 */
public class CatalogueRemoteLogMetadataManager implements RemoteLogMetadataManager {

    private final AnswerWaits waits = new AnswerWaits();
    private volatile @Nullable MetadataService plugin;

    /** For the broker, which calls {@link #configure} next. */
    public CatalogueRemoteLogMetadataManager() {}

    /**
     * Checks the settings, and begins to connect in the background: a database that is down does not stop a broker from starting.
     *
     * @throws org.apache.kafka.common.config.ConfigException naming the setting, what is wrong and what would be right
     */
    @Override
    public synchronized void configure(Map<String, ?> configs) {
        if (plugin != null) {
            throw new IllegalStateException("configure() was called before");
        }
        ClassLoader loader = CatalogueRemoteLogMetadataManager.class.getClassLoader();
        RlmmConfig config = RlmmConfig.of(configs, loader);
        plugin = config.bridge()
                ? Bridge.start(config, loader, waits::wake)
                : CataloguePlugin.start(config, waits::wake);
    }

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata segment) {
        return plugin().add(segment);
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update) {
        return plugin().update(update);
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata deletion) {
        return plugin().deletePartition(deletion);
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(
            TopicIdPartition partition, int epochForOffset, long offset) throws RemoteStorageException {
        long wakeUps = waits.wakeUps();
        try {
            return plugin().lookup(partition, epochForOffset, offset);
        } catch (ReplicaNotAvailableException e) {
            return waits.askAgain(e, wakeUps, () -> plugin().lookup(partition, epochForOffset, offset));
        }
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> nextSegmentWithTxnIndex(
            TopicIdPartition partition, int epoch, long offset) throws RemoteStorageException {
        long wakeUps = waits.wakeUps();
        try {
            return plugin().nextWithTxnIndex(partition, epoch, offset);
        } catch (ReplicaNotAvailableException e) {
            return waits.askAgain(e, wakeUps, () -> plugin().nextWithTxnIndex(partition, epoch, offset));
        }
    }

    @Override
    public Optional<Long> highestOffsetForEpoch(TopicIdPartition partition, int leaderEpoch)
            throws RemoteStorageException {
        return plugin().highestOffset(partition, leaderEpoch);
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition)
            throws RemoteStorageException {
        return plugin().list(partition);
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> listRemoteLogSegments(TopicIdPartition partition, int leaderEpoch)
            throws RemoteStorageException {
        long wakeUps = waits.wakeUps();
        try {
            return plugin().list(partition, leaderEpoch);
        } catch (ReplicaNotAvailableException e) {
            return waits.askAgain(e, wakeUps, () -> plugin().list(partition, leaderEpoch));
        }
    }

    @Override
    public long remoteLogSize(TopicIdPartition partition, int leaderEpoch) throws RemoteStorageException {
        return plugin().sizeInBytes(partition, leaderEpoch);
    }

    /** Never blocks, never throws: Kafka would give up the rest of the change. */
    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        MetadataService started = plugin;
        if (started != null) {
            started.leadershipChanged(leaders, followers);
        }
    }

    /** Never blocks, never throws, as above. */
    @Override
    public void onStopPartitions(Set<TopicIdPartition> partitions) {
        MetadataService started = plugin;
        if (started != null) {
            started.stopped(partitions);
        }
    }

    /** Never blocks, never throws: Kafka would drop the partition's task for good. */
    @Override
    public boolean isReady(TopicIdPartition partition) {
        MetadataService started = plugin;
        return started != null && started.ready(partition);
    }

    /** Waits a bounded time for writes under way. May be called twice, and after a failed {@link #configure}. */
    @Override
    public void close() {
        MetadataService started = plugin;
        if (started != null) {
            started.close();
        }
    }

    /** What was started by {@link #configure}. */
    final MetadataService plugin() {
        MetadataService started = plugin;
        if (started == null) {
            throw new IllegalStateException("the plugin was not configured");
        }
        return started;
    }
}
