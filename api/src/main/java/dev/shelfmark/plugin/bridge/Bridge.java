package dev.shelfmark.plugin.bridge;

import dev.shelfmark.kafka.KafkaExceptions;
import dev.shelfmark.plugin.BrokerThread;
import dev.shelfmark.plugin.CataloguePlugin;
import dev.shelfmark.plugin.MetadataService;
import dev.shelfmark.plugin.cluster.ClusterWatch;
import dev.shelfmark.plugin.cluster.ClusterWatch.Acknowledgement;
import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.plugin.cluster.FailureReasons;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.plugin.metrics.RlmmMetrics;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.ClusterState.Truth;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in bridge mode: answers from Kafka's own topic or from the catalogue, whichever the cluster's record calls the truth. It acts on a look at
 * that record for the time of its lease and no longer; while the cluster is draining, each read looks first.
 */
public final class Bridge implements MetadataService, ClusterWatch.Follower {

    private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);

    /** Replication of every partition that a broker's fetcher has may wait for a read. */
    private static final Duration LOOK_WAIT = Duration.ofMillis(300);

    private final RlmmConfig config;
    private final InFlightWrites permits;
    private final CataloguePlugin catalogue;
    private final TopicManager topic;
    private final BridgedWrites writes;
    private final RlmmMetrics metrics;
    private final Duration lease;
    private final Duration writeWait;
    private final Runnable whenAnswering;
    private final FailureReasons failures = new FailureReasons();

    /** The look that was last waited for in vain. */
    private volatile @Nullable CompletableFuture<Sight> silent;

    /** The last revision that was seen to leave the truth to the topic, and so to its manager; of the watch's thread. */
    private long topicRevision;

    private Bridge(RlmmConfig config, ClassLoader loader, Runnable whenAnswering) {
        this.config = config;
        this.whenAnswering = whenAnswering;
        this.lease = config.duration(RlmmConfig.MIGRATION_LEASE_MS);
        this.writeWait = config.duration(RlmmConfig.MIGRATION_WRITE_WAIT_MS);
        this.permits = new InFlightWrites(lease);
        this.topic = new TopicManager(config, loader, this::topicOpened);
        this.catalogue = CataloguePlugin.behind(config, this, whenAnswering);
        this.metrics = catalogue.metrics();
        this.writes = new BridgedWrites(config, permits, this::lookAgain, topic, catalogue, metrics);
    }

    /**
     * Begins to look at the cluster's record; connects to nothing before it returns.
     *
     * @param loader finds Kafka's own manager
     * @param whenAnswering run, on any thread, when reads that failed may be answered from now on; must not block
     * @throws org.apache.kafka.common.config.ConfigException when Kafka's manager refuses its settings
     */
    public static Bridge start(RlmmConfig config, ClassLoader loader, Runnable whenAnswering) {
        Bridge bridge = new Bridge(config, loader, whenAnswering);
        bridge.publishMetrics();
        bridge.catalogue.start();
        LOG.info("Bridge between Kafka's metadata topic and the catalogue of cluster {}", config.clusterId());
        return bridge;
    }

    private void publishMetrics() {
        metrics.gauge(
                "bridge-truth",
                "where this broker reads: 1 in Kafka's topic, 2 in the catalogue, 0 nowhere now",
                () -> switch (truth()) {
                    case TOPIC -> 1;
                    case CATALOGUE -> 2;
                    case NOWHERE -> 0;
                });
        metrics.gauge("bridge-waiting-writes", "reports that are not done yet", writes::waiting);
    }

    private CompletableFuture<Sight> lookAgain() {
        return catalogue.watch().lookAgain();
    }

    private void topicOpened() {
        // So that what waits for it is told at once.
        CompletableFuture<Sight> unused = lookAgain();
        whenAnswering.run();
    }

    @Override
    public void saw(Sight next) {
        Sight before = permits.sight();
        ClusterState state = next.state();
        if (state != null && (state.truth() == Truth.CATALOGUE || !managerIsOf(state, next.revision()))) {
            topic.drop();
        }
        boolean answeredNothing = truth() == Truth.NOWHERE;
        permits.saw(next);
        if (answeredNothing && truth() != Truth.NOWHERE) {
            whenAnswering.run();
        }
        if (state != null && state.truth() == Truth.TOPIC) {
            topicRevision = next.revision();
            topic.open();
        }
        if (failures.news(before, next)) {
            log(before, next);
        }
        writes.saw(next);
    }

    /**
     * Whether the topic's manager, if there is one, was there when all that counts came into the topic. One from before the way back may not have read
     * to the end of what was exported: a new one answers only when it has. The way there and back may also have been gone between two looks, as when
     * this process was stopped; that takes more than one move of the record.
     */
    private boolean managerIsOf(ClusterState state, long revision) {
        return state.truth() != Truth.TOPIC
                || revision == topicRevision
                || (revision == topicRevision + 1 && state != ClusterState.BRIDGED);
    }

    private void log(Sight before, Sight next) {
        ClusterState state = next.state();
        if (state == null) {
            LOG.warn("Cluster {}: nothing tiered is answered: {}", config.clusterId(), next.reason());
            return;
        }
        String meaning = switch (state) {
            case IMPORTING, BRIDGED -> "reads and writes go to Kafka's metadata topic";
            case READY -> "reads and writes go to the catalogue";
            case DRAINING_TO_READY -> "reads go to Kafka's metadata topic, writes wait for the switch to the catalogue";
            case DRAINING_TO_BRIDGED ->
                "reads go to the catalogue, writes wait for the switch to Kafka's metadata topic";
            case RESTORING -> "nothing tiered is answered: a backup is being restored";
        };
        LOG.info(
                "Cluster {}: {} (revision {}), was {}: {}",
                config.clusterId(),
                state,
                next.revision(),
                before.state() == null ? "unknown" : before.state() + " (revision " + before.revision() + ")",
                meaning);
    }

    @Override
    public Acknowledgement acknowledgement() {
        ClusterState state = permits.sight().state();
        boolean needsTopic = state != null && state.truth() == Truth.TOPIC && !state.draining();
        return permits.acknowledgement(
                needsTopic && topic.current().isEmpty() ? "Kafka's own metadata manager to be started" : "");
    }

    /** Where reads may be answered without a look. */
    private Truth truth() {
        Sight sight = permits.sight();
        ClusterState state = sight.state();
        return state == null || sight.ageNanos() > lease.toNanos() ? Truth.NOWHERE : state.truth();
    }

    @Override
    public CompletableFuture<Void> add(RemoteLogSegmentMetadata segment) {
        return writes.submit(new BridgedWrite.Added(Objects.requireNonNull(segment, "segment")));
    }

    @Override
    public CompletableFuture<Void> update(RemoteLogSegmentMetadataUpdate update) {
        BridgedWrite report = new BridgedWrite.Updated(Objects.requireNonNull(update, "update"));
        Duration limit = catalogue.deletions().limit(writeWait);
        CompletableFuture<Void> future = limit.isZero()
                ? CompletableFuture.failedFuture(KafkaExceptions.notWritten(
                        report + ": not tried, as the store did not answer a moment ago", null))
                : writes.submit(report, limit);
        if (BrokerThread.current() != BrokerThread.METADATA) {
            return future;
        }
        return future.whenComplete((done, failure) -> {
            if (failure != null) {
                catalogue.deletions().failed(report.partition(), String.valueOf(failure.getMessage()));
            }
        });
    }

    @Override
    public CompletableFuture<Void> deletePartition(RemotePartitionDeleteMetadata deletion) {
        return writes.submit(new BridgedWrite.Deleted(Objects.requireNonNull(deletion, "deletion")));
    }

    /** A question. */
    private interface Question<S, T> {
        T ask(S whom) throws RemoteStorageException;
    }

    private <T> T read(Question<RemoteLogMetadataManager, T> ofTopic, Question<MetadataService, T> ofCatalogue)
            throws RemoteStorageException {
        Truth truth = truthToRead();
        if (truth == Truth.CATALOGUE) {
            return ofCatalogue.ask(catalogue);
        }
        if (truth == Truth.NOWHERE) {
            String reason = permits.sight().reason();
            throw KafkaExceptions.notReady(reason.isEmpty() ? "a backup is being restored" : reason);
        }
        RemoteLogMetadataManager manager = topic.current()
                .orElseThrow(() -> KafkaExceptions.notReady("Kafka's own metadata manager is not started yet"));
        try {
            return ofTopic.ask(manager);
        } catch (IllegalStateException e) {
            throw KafkaExceptions.notReady("Kafka's own metadata manager is starting or closing: " + e.getMessage());
        } catch (RemoteResourceNotFoundException e) {
            if (topic.current().orElse(null) == manager) {
                throw e;
            }
            // It was emptied under the question.
            throw KafkaExceptions.notReady("the cluster is being switched");
        }
    }

    /**
     * Where the truth is at some moment of this call. Within the lease and out of draining the switch can't have been thrown without this broker's
     * knowledge; otherwise the record itself is asked.
     */
    private Truth truthToRead() {
        Sight sight = permits.sight();
        ClusterState state = sight.state();
        if (state != null && !state.draining() && sight.ageNanos() <= lease.toNanos()) {
            return state.truth();
        }
        Optional<String> known = catalogue.watch().failing();
        if (known.isPresent()) {
            // The watch goes on asking; whoever waited for it here would learn the same, later.
            throw KafkaExceptions.notReady("the cluster's state can't be read: " + known.get());
        }
        ClusterState now = look().state();
        return now == null ? Truth.NOWHERE : now.truth();
    }

    private Sight look() {
        @Nullable Throwable cause;
        CompletableFuture<Sight> next = lookAgain();
        if (next == silent && !next.isDone()) {
            // The watch still waits for the store: the look that was waited for in vain has not even begun.
            throw KafkaExceptions.notReady("the cluster's state can't be read: the store is silent");
        }
        try {
            return next.get(LOOK_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause = e;
        } catch (ExecutionException e) {
            cause = e.getCause();
        } catch (TimeoutException e) {
            silent = next;
            cause = new TimeoutException("no answer within " + LOOK_WAIT.toMillis() + " ms");
        }
        throw KafkaExceptions.notReady(
                "the cluster's state can't be read: " + (cause == null ? "" : cause.getMessage()));
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> lookup(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        return read(
                topic -> topic.remoteLogSegmentMetadata(partition, epoch, offset),
                shelf -> shelf.lookup(partition, epoch, offset));
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        return read(
                topic -> topic.nextSegmentWithTxnIndex(partition, epoch, offset),
                shelf -> shelf.nextWithTxnIndex(partition, epoch, offset));
    }

    @Override
    public Optional<Long> highestOffset(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        return read(
                topic -> topic.highestOffsetForEpoch(partition, epoch), shelf -> shelf.highestOffset(partition, epoch));
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition) throws RemoteStorageException {
        try {
            return read(topic -> topic.listRemoteLogSegments(partition), shelf -> shelf.list(partition));
        } catch (ReplicaNotAvailableException e) {
            if (BrokerThread.current() == BrokerThread.METADATA) {
                catalogue.deletions().failed(partition, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition, int epoch)
            throws RemoteStorageException {
        return read(topic -> topic.listRemoteLogSegments(partition, epoch), shelf -> shelf.list(partition, epoch));
    }

    @Override
    public long sizeInBytes(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        return read(topic -> topic.remoteLogSize(partition, epoch), shelf -> shelf.sizeInBytes(partition, epoch));
    }

    @Override
    public boolean ready(TopicIdPartition partition) {
        return switch (truth()) {
            case CATALOGUE -> true;
            case NOWHERE -> false;
            case TOPIC -> topicReady(partition);
        };
    }

    private boolean topicReady(TopicIdPartition partition) {
        try {
            return topic.current().map(manager -> manager.isReady(partition)).orElse(false);
        } catch (RuntimeException | Error e) {
            LOG.debug("Kafka's own metadata manager can't tell whether it is ready", e);
            return false;
        }
    }

    @Override
    public void leadershipChanged(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        catalogue.leadershipChanged(leaders, followers);
        topic.leadershipChanged(leaders, followers);
    }

    @Override
    public void stopped(Set<TopicIdPartition> partitions) {
        catalogue.stopped(partitions);
        topic.stopped(partitions);
    }

    @Override
    public void publishMetricsTo(BiConsumer<RlmmMetrics.Metric, Gauge<?>> publisher) {
        catalogue.publishMetricsTo(publisher);
    }

    @Override
    public void close() {
        writes.close();
        topic.close();
        catalogue.close();
    }
}
