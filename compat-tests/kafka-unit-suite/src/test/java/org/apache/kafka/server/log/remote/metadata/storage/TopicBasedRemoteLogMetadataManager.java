package org.apache.kafka.server.log.remote.metadata.storage;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.kafkasuite.SuiteCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;

/**
 * The plugin under the name by which Kafka's tests build the manager they test. It comes before Kafka's own on the class path.
 *
 * <p>Answers come from the plugin alone. What it has written is also told to the store that Kafka's manager would keep, because the tests hold a
 * spy of that one and verify what it was told; nobody reads it.
 */
public final class TopicBasedRemoteLogMetadataManager extends CatalogueRemoteLogMetadataManager {

    private static final TopicIdPartition ANY = new TopicIdPartition(Uuid.ONE_UUID, 0, "any");

    private final RemotePartitionMetadataStore told;
    private boolean configured;

    /** Called by the builder of Kafka's tests. */
    TopicBasedRemoteLogMetadataManager(
            Function<Integer, RemoteLogMetadataTopicPartitioner> unused, Supplier<RemotePartitionMetadataStore> told) {
        this.told = told.get();
    }

    /**
     * Each manager is of a cluster of its own, and so finds an empty catalogue: some tests share their partition's id. One of them configures its manager
     * again with nothing, which Kafka's takes no notice of.
     */
    @Override
    public synchronized void configure(Map<String, ?> configs) {
        if (configured) {
            return;
        }
        configured = true;
        Map<String, Object> settings = new HashMap<>(configs);
        settings.putAll(SuiteCluster.registerNew().settings());
        super.configure(settings);
    }

    /** Called by the builder, as a broker does. */
    public void onBrokerReady() {}

    /** The builder waits for it. */
    boolean isInitialized() {
        return isReady(ANY);
    }

    @Override
    public void onPartitionLeadershipChanges(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        super.onPartitionLeadershipChanges(leaders, followers);
        for (Set<TopicIdPartition> partitions : List.of(leaders, followers)) {
            partitions.forEach(told::maybeLoadPartition);
            partitions.forEach(told::markInitialized);
        }
    }

    @Override
    public CompletableFuture<Void> addRemoteLogSegmentMetadata(RemoteLogSegmentMetadata segment) {
        return super.addRemoteLogSegmentMetadata(segment).thenRun(() -> told.handleRemoteLogSegmentMetadata(segment));
    }

    @Override
    public CompletableFuture<Void> updateRemoteLogSegmentMetadata(RemoteLogSegmentMetadataUpdate update) {
        return super.updateRemoteLogSegmentMetadata(update)
                .thenRun(() -> told.handleRemoteLogSegmentMetadataUpdate(update));
    }

    @Override
    public CompletableFuture<Void> putRemotePartitionDeleteMetadata(RemotePartitionDeleteMetadata deletion) {
        return super.putRemotePartitionDeleteMetadata(deletion)
                .thenRun(() -> told.handleRemotePartitionDeleteMetadata(deletion));
    }
}
