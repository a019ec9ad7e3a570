package dev.shelfmark.plugin;

import dev.shelfmark.catalogue.CatalogueException;
import dev.shelfmark.catalogue.PartitionHandle;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.index.PartitionIndex;
import dev.shelfmark.catalogue.index.SegmentColumns;
import dev.shelfmark.kafka.KafkaExceptions;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.plugin.cluster.ClusterGate;
import dev.shelfmark.plugin.cluster.ClusterWatch;
import dev.shelfmark.plugin.config.PluginThreads;
import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.plugin.metrics.FailureLog;
import dev.shelfmark.plugin.metrics.RlmmMetrics;
import dev.shelfmark.plugin.writes.WriteQueues;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a configured plugin, put together: gate, catalogue, queues, background work, metrics. */
public final class CataloguePlugin implements MetadataService {

    private static final Logger LOG = LoggerFactory.getLogger(CataloguePlugin.class);
    private static final long METRICS_AFTER_MS = 500;

    /** A look at the cluster's record and the heartbeat after it may each take as long as a store's call: they must not close the gate. */
    private static final Duration LEAST_TRUST = Duration.ofSeconds(30);

    private static final int PURGE_BATCH = 1_000;
    private static final int PURGE_BATCHES_AT_ONCE = 100;
    private static final int MAX_QUEUED_LOADS = 10_000;

    /** Reads under way that callers can give up; each ends by the store's own limits. */
    private static final int READERS = 16;

    private final RlmmConfig config;
    private final RlmmMetrics metrics;
    private final CatalogueStore store;
    private final SegmentCatalogue catalogue;
    private final WriteQueues writes;
    private final ClusterGate gate;
    private final ClusterWatch watch;
    private final ClusterWatch.Follower follower;
    private final ScheduledExecutorService background;
    private final ThreadPoolExecutor loads;
    private final ThreadPoolExecutor readers;
    private final DeletionWrites deletions;
    private final Map<TopicIdPartition, Assigned> assigned = new ConcurrentHashMap<>();
    private final FailureLog failures = new FailureLog();
    private final AtomicBoolean closed = new AtomicBoolean();

    private CataloguePlugin(
            RlmmConfig config, Duration trust, ClusterWatch.@Nullable Follower follower, Runnable whenAnswering) {
        this.config = config;
        this.metrics = new RlmmMetrics();
        this.store = config.provider()
                .open(new StoreContext(
                        config.storeValues(), config.retention(), "shelfmark-broker-" + config.brokerId(), metrics));
        this.watch = new ClusterWatch(store, config, trust);
        this.loads = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(MAX_QUEUED_LOADS),
                new PluginThreads(config.brokerId(), "loader"));
        // A broker that fits into its cache reads each partition once: no thread is kept for that.
        this.loads.allowCoreThreadTimeOut(true);
        this.readers = new ThreadPoolExecutor(
                READERS,
                READERS,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(),
                new PluginThreads(config.brokerId(), "reader"));
        this.readers.allowCoreThreadTimeOut(true);
        this.catalogue = new SegmentCatalogue(
                store,
                config.catalogueSettings(),
                metrics,
                loads,
                readers,
                () -> BrokerThread.current().patience(config),
                whenAnswering);
        this.deletions = new DeletionWrites(watch);
        this.writes = new WriteQueues(catalogue, store.maxSegmentsPerCommit(), config, metrics);
        this.gate = new ClusterGate(config.clusterId(), trust, config.bridge(), catalogue::forget);
        this.follower = new Followers(gate, follower, catalogue, whenAnswering);
        this.background =
                Executors.newSingleThreadScheduledExecutor(new PluginThreads(config.brokerId(), "background"));
    }

    /**
     * For a broker that answers from the catalogue or not at all. Connects to nothing before it returns.
     *
     * @param whenAnswering run, on any thread, when reads that failed may be answered from now on; must not block
     */
    public static CataloguePlugin start(RlmmConfig config, Runnable whenAnswering) {
        Duration outage = config.catalogueSettings().outageMaxStaleness();
        Duration trust = (outage.compareTo(LEAST_TRUST) < 0 ? LEAST_TRUST : outage).plus(config.clusterStatePoll());
        CataloguePlugin plugin = new CataloguePlugin(config, trust, null, whenAnswering);
        plugin.start();
        return plugin;
    }

    /**
     * For one that answers from the catalogue only when its follower says so; not started.
     *
     * @param follower is told what is seen of the cluster, and decides what this broker acknowledges
     * @param whenAnswering as above
     */
    public static CataloguePlugin behind(RlmmConfig config, ClusterWatch.Follower follower, Runnable whenAnswering) {
        return new CataloguePlugin(config, config.duration(RlmmConfig.MIGRATION_LEASE_MS), follower, whenAnswering);
    }

    /** Starts the background work. */
    public void start() {
        watch.start(follower);
        // Making beans costs as much as connecting does: the first answers come first.
        Future<?> unused = background.schedule(this::publishMetrics, METRICS_AFTER_MS, TimeUnit.MILLISECONDS);
        long interval = config.duration(RlmmConfig.PURGE_INTERVAL_MS).toMillis();
        unused = background.scheduleWithFixedDelay(
                this::purge, ThreadLocalRandom.current().nextLong(interval) + 1, interval, TimeUnit.MILLISECONDS);
        LOG.info(
                "Catalogue of cluster {} in store '{}' for broker {}",
                config.clusterId(),
                config.provider().name(),
                config.brokerId());
    }

    /** How long deletions of topics wait. */
    public DeletionWrites deletions() {
        return deletions;
    }

    /** What is seen of the cluster. */
    public ClusterWatch watch() {
        return watch;
    }

    /** Where this plugin counts. */
    public RlmmMetrics metrics() {
        return metrics;
    }

    /** The gate, what its news means for reads, and perhaps one more, which then decides what is acknowledged. */
    private record Followers(
            ClusterGate gate, ClusterWatch.@Nullable Follower other, SegmentCatalogue catalogue, Runnable whenAnswering)
            implements ClusterWatch.Follower {
        @Override
        public void saw(ClusterWatch.Sight sight) {
            boolean wasOpen = gate.closedBecause().isEmpty();
            gate.saw(sight);
            if (sight.state() != null) {
                catalogue.storeAnswers();
            }
            if (other != null) {
                other.saw(sight);
            }
            if (!wasOpen && gate.closedBecause().isEmpty()) {
                whenAnswering.run();
            }
        }

        @Override
        public ClusterWatch.Acknowledgement acknowledgement() {
            return other == null ? gate.acknowledgement() : other.acknowledgement();
        }
    }

    private void publishMetrics() {
        metrics.publishAsJmx(config.brokerId());
        metrics.gauge("ready", "1 when the catalogue answers, else 0", () -> ready() ? 1 : 0);
        metrics.gauge("led-partitions", "partitions that this broker leads", catalogue::ledPartitions);
        metrics.gauge("cached-segments", "segments held in memory", catalogue::cachedSegments);
        metrics.gauge("waiting-writes", "writes that are not done yet", writes::waiting);
    }

    @Override
    public void publishMetricsTo(BiConsumer<RlmmMetrics.Metric, Gauge<?>> publisher) {
        metrics.publishTo(publisher);
    }

    private boolean ready() {
        return gate.closedBecause().isEmpty();
    }

    @Override
    public boolean ready(TopicIdPartition partition) {
        return ready();
    }

    @Override
    public CompletableFuture<Void> add(RemoteLogSegmentMetadata segment) {
        Objects.requireNonNull(segment, "segment");
        TopicIdPartition partition = segment.remoteLogSegmentId().topicIdPartition();
        return write(
                "add", partition, () -> writes.submit(key(partition), partition.topic(), KafkaMapping.event(segment)));
    }

    @Override
    public CompletableFuture<Void> update(RemoteLogSegmentMetadataUpdate update) {
        Objects.requireNonNull(update, "update");
        TopicIdPartition partition = update.remoteLogSegmentId().topicIdPartition();
        return write("update", partition, () -> submitUpdate(partition, update));
    }

    private CompletableFuture<Void> submitUpdate(TopicIdPartition partition, RemoteLogSegmentMetadataUpdate update) {
        Duration usual = config.duration(RlmmConfig.WRITE_TIMEOUT_MS);
        Duration limit = deletions.limit(usual);
        if (limit.isZero()) {
            return CompletableFuture.failedFuture(KafkaExceptions.notWritten(
                    "partition " + key(partition) + ": not tried, as the store did not answer a moment ago", null));
        }
        return writes.submit(key(partition), partition.topic(), KafkaMapping.event(update), limit);
    }

    @Override
    public CompletableFuture<Void> deletePartition(RemotePartitionDeleteMetadata deletion) {
        Objects.requireNonNull(deletion, "deletion");
        TopicIdPartition partition = deletion.topicIdPartition();
        return write(
                "delete-partition",
                partition,
                () -> writes.submit(key(partition), partition.topic(), KafkaMapping.event(deletion)));
    }

    private CompletableFuture<Void> write(
            String call, TopicIdPartition partition, Supplier<CompletableFuture<Void>> submit) {
        long began = System.nanoTime();
        Optional<String> closedBecause = gate.closedBecause();
        boolean deletesTopic = BrokerThread.current() == BrokerThread.METADATA;
        CompletableFuture<Void> future = closedBecause.isPresent()
                ? CompletableFuture.failedFuture(KafkaExceptions.notWritten(
                        "partition " + key(partition) + ": the catalogue takes no writes now: " + closedBecause.get(),
                        null))
                : submit.get();
        return future.whenComplete((done, failure) -> {
            metrics.call(call).record(System.nanoTime() - began);
            if (failure == null) {
                watch.committed();
            } else {
                metrics.failed(call);
                if (deletesTopic) {
                    deletions.failed(partition, String.valueOf(failure.getMessage()));
                }
            }
        });
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> lookup(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        Assigned known = assigned(partition);
        long began = System.nanoTime();
        requireOpen("lookup", began);
        PartitionIndex held = catalogue.held(known.handle(), began);
        if (held == null) {
            return read("lookup", () -> catalogue.read(known.key(), epoch, offset, known));
        }
        Optional<RemoteLogSegmentMetadata> answer = held.lookup(epoch, offset, known);
        metrics.lookedUpInMemory(began);
        return answer;
    }

    @Override
    public Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        return read(
                "next-with-txn-index", () -> catalogue.nextWithTxnIndex(key(partition), epoch, offset, as(partition)));
    }

    @Override
    public Optional<Long> highestOffset(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("highest-offset", () -> catalogue.highestOffset(known.key(), epoch));
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition) throws RemoteStorageException {
        Assigned known = assigned(partition);
        try {
            return read("list", () -> catalogue.readAll(known.key(), known));
        } catch (ReplicaNotAvailableException e) {
            if (BrokerThread.current() == BrokerThread.METADATA) {
                deletions.failed(partition, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    @Override
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition, int epoch)
            throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("list-epoch", () -> catalogue.readAll(known.key(), epoch, known));
    }

    @Override
    public long sizeInBytes(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        return read("size", () -> catalogue.sizeInBytes(key(partition), epoch));
    }

    private <T> T read(String call, Supplier<T> answer) throws RemoteStorageException {
        long began = System.nanoTime();
        requireOpen(call, began);
        try {
            return answer.get();
        } catch (StoreException | CatalogueException e) {
            throw unanswered(call, e);
        } finally {
            metrics.call(call).record(System.nanoTime() - began);
        }
    }

    private void requireOpen(String call, long began) {
        Optional<String> closedBecause = gate.closedBecause(began);
        if (closedBecause.isPresent()) {
            metrics.call(call).record(System.nanoTime() - began);
            metrics.failed(call);
            throw KafkaExceptions.notReady(closedBecause.get());
        }
    }

    private RuntimeException unanswered(String call, RuntimeException failure) throws RemoteStorageException {
        metrics.failed(call);
        failures.failed(call, failure);
        return failure instanceof StoreException store
                ? KafkaExceptions.unanswered(store)
                : KafkaExceptions.unanswered((CatalogueException) failure);
    }

    /** A partition's key, and the way to its answers: made once, as lookups come by the million. */
    private record Assigned(TopicIdPartition partition, PartitionHandle handle)
            implements SegmentColumns.Reader<RemoteLogSegmentMetadata> {

        PartitionKey key() {
            return handle.key();
        }

        @Override
        public RemoteLogSegmentMetadata read(SegmentColumns segments, int position) {
            return KafkaMapping.segment(partition, segments, position);
        }
    }

    private Assigned assigned(TopicIdPartition partition) {
        Assigned known = assigned.get(partition);
        return known == null ? newlyAssigned(partition) : known;
    }

    private Assigned newlyAssigned(TopicIdPartition partition) {
        return new Assigned(partition, catalogue.handle(key(partition)));
    }

    private void assign(Collection<TopicIdPartition> partitions) {
        partitions.forEach(partition -> assigned.put(partition, newlyAssigned(partition)));
    }

    private static Function<SegmentRecord, RemoteLogSegmentMetadata> as(TopicIdPartition partition) {
        return segment -> KafkaMapping.segment(partition, segment);
    }

    private PartitionKey key(TopicIdPartition partition) {
        return KafkaMapping.key(config.clusterId(), partition);
    }

    private Set<PartitionKey> keys(Collection<TopicIdPartition> partitions) {
        return partitions.stream().map(this::key).collect(Collectors.toSet());
    }

    @Override
    public void leadershipChanged(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        assign(leaders);
        assign(followers);
        catalogue.leads(keys(leaders));
        catalogue.follows(keys(followers));
    }

    @Override
    public void stopped(Set<TopicIdPartition> partitions) {
        catalogue.stops(keys(partitions));
        partitions.forEach(assigned::remove);
    }

    private void purge() {
        try {
            if (ready()) {
                purge("records of deleted segments", () -> store.purgeDeleted(config.clusterId(), PURGE_BATCH));
                purge("history", () -> store.purgeHistory(PURGE_BATCH));
            }
        } catch (RuntimeException | Error untold) {
            // Even telling of a failure failed. What is thrown on would end all purges to come.
        }
    }

    private void purge(String what, IntSupplier batch) {
        try {
            int purged = PURGE_BATCH;
            for (int i = 0; i < PURGE_BATCHES_AT_ONCE && purged == PURGE_BATCH && !closed.get(); i++) {
                purged = batch.getAsInt();
            }
        } catch (StoreException e) {
            LOG.warn("Cluster {}: removing {} failed, to be tried again: {}", config.clusterId(), what, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("Cluster {}: removing {} failed unexpectedly", config.clusterId(), what, e);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        gate.close();
        close("queues", writes::close);
        close("watch", watch::close);
        close("background work", background::shutdownNow);
        close("loader", loads::shutdownNow);
        close("readers", readers::shutdownNow);
        close("store", store::close);
        close("metrics", metrics::close);
    }

    /** What can't be closed keeps nothing else open: nobody comes again. */
    private static void close(String part, Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("The plugin's {} could not be closed", part, e);
        }
    }
}
