package dev.shelfmark.plugin;

import dev.shelfmark.catalogue.CatalogueException;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.SegmentColumns;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a configured plugin, put together: gate, catalogue, queues, background work, metrics. */
public final class CataloguePlugin implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CataloguePlugin.class);
    private static final int PURGE_BATCH = 1_000;
    private static final int PURGE_BATCHES_AT_ONCE = 100;
    private static final int MAX_QUEUED_LOADS = 10_000;

    private final RlmmConfig config;
    private final RlmmMetrics metrics;
    private final CatalogueStore store;
    private final SegmentCatalogue catalogue;
    private final WriteQueues writes;
    private final ClusterGate gate;
    private final ScheduledExecutorService background;
    private final ThreadPoolExecutor loads;
    private final Map<TopicIdPartition, Assigned> assigned = new ConcurrentHashMap<>();
    private final FailureLog failures = new FailureLog();
    private final AtomicBoolean closed = new AtomicBoolean();

    private CataloguePlugin(RlmmConfig config) {
        this.config = config;
        this.metrics = new RlmmMetrics();
        this.store = config.provider()
                .open(new StoreContext(
                        config.storeValues(),
                        config.duration(RlmmConfig.DELETED_RETENTION_MS),
                        "shelfmark-broker-" + config.brokerId(),
                        metrics));
        this.loads = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(MAX_QUEUED_LOADS),
                new PluginThreads(config.brokerId(), "loader"));
        // A broker that fits into its cache reads each partition once: no thread is kept for that.
        this.loads.allowCoreThreadTimeOut(true);
        this.catalogue = new SegmentCatalogue(store, config.catalogueSettings(), metrics, loads);
        this.writes = new WriteQueues(catalogue, store.maxSegmentsPerCommit(), config, metrics);
        this.gate = new ClusterGate(store, config, config.catalogueSettings().outageMaxStaleness(), catalogue::forget);
        this.background = Executors.newScheduledThreadPool(2, new PluginThreads(config.brokerId(), "background"));
    }

    /** Starts the background work; connects to nothing before it returns. */
    public static CataloguePlugin start(RlmmConfig config) {
        CataloguePlugin plugin = new CataloguePlugin(config);
        plugin.publishMetrics();
        plugin.gate.start(plugin.background);
        long interval = config.duration(RlmmConfig.PURGE_INTERVAL_MS).toMillis();
        Future<?> unused = plugin.background.scheduleWithFixedDelay(
                plugin::purge, ThreadLocalRandom.current().nextLong(interval) + 1, interval, TimeUnit.MILLISECONDS);
        LOG.info(
                "Catalogue of cluster {} in store '{}' for broker {}",
                config.clusterId(),
                config.provider().name(),
                config.brokerId());
        return plugin;
    }

    private void publishMetrics() {
        metrics.publishAsJmx(config.brokerId());
        metrics.gauge("ready", "1 when the catalogue answers, else 0", () -> ready() ? 1 : 0);
        metrics.gauge("led-partitions", "partitions that this broker leads", catalogue::ledPartitions);
        metrics.gauge("cached-segments", "segments held in memory", catalogue::cachedSegments);
        metrics.gauge("waiting-writes", "writes that are not done yet", writes::waiting);
    }

    /** Publishes the metrics to the broker too. */
    public void publishMetricsTo(BiConsumer<RlmmMetrics.Metric, Gauge<?>> publisher) {
        metrics.publishTo(publisher);
    }

    /** Whether the catalogue answers. */
    public boolean ready() {
        return gate.closedBecause().isEmpty();
    }

    /** Queues an added segment. */
    public CompletableFuture<Void> add(RemoteLogSegmentMetadata segment) {
        Objects.requireNonNull(segment, "segment");
        TopicIdPartition partition = segment.remoteLogSegmentId().topicIdPartition();
        return write(
                "add", partition, () -> writes.submit(key(partition), partition.topic(), KafkaMapping.event(segment)));
    }

    /** Queues an update. */
    public CompletableFuture<Void> update(RemoteLogSegmentMetadataUpdate update) {
        Objects.requireNonNull(update, "update");
        TopicIdPartition partition = update.remoteLogSegmentId().topicIdPartition();
        return write(
                "update",
                partition,
                () -> writes.submit(key(partition), partition.topic(), KafkaMapping.event(update)));
    }

    /** Queues a step of a partition's deletion. */
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
        CompletableFuture<Void> future = closedBecause.isPresent()
                ? CompletableFuture.failedFuture(KafkaErrors.notWritten(
                        "partition " + key(partition) + ": the catalogue takes no writes now: " + closedBecause.get(),
                        null))
                : submit.get();
        return future.whenComplete((done, failure) -> {
            metrics.call(call).record(System.nanoTime() - began);
            if (failure != null) {
                metrics.failed(call);
            }
        });
    }

    /** The segment to read an offset of an epoch from. */
    public Optional<RemoteLogSegmentMetadata> lookup(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("lookup", () -> catalogue.read(known.key(), epoch, offset, known));
    }

    /** The next segment of an epoch that may have a transaction index. */
    public Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(TopicIdPartition partition, int epoch, long offset)
            throws RemoteStorageException {
        return read(
                "next-with-txn-index", () -> catalogue.nextWithTxnIndex(key(partition), epoch, offset, as(partition)));
    }

    /** The highest offset of an epoch that was ever copied. */
    public Optional<Long> highestOffset(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("highest-offset", () -> catalogue.highestOffset(known.key(), epoch));
    }

    /** Every segment. */
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition) throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("list", () -> catalogue.readAll(known.key(), known));
    }

    /** Every segment of an epoch. */
    public Iterator<RemoteLogSegmentMetadata> list(TopicIdPartition partition, int epoch)
            throws RemoteStorageException {
        Assigned known = assigned(partition);
        return read("list-epoch", () -> catalogue.readAll(known.key(), epoch, known));
    }

    /** The summed size of an epoch's segments. */
    public long sizeInBytes(TopicIdPartition partition, int epoch) throws RemoteStorageException {
        return read("size", () -> catalogue.sizeInBytes(key(partition), epoch));
    }

    private <T> T read(String call, Supplier<T> answer) throws RemoteStorageException {
        Optional<String> closedBecause = gate.closedBecause();
        if (closedBecause.isPresent()) {
            metrics.failed(call);
            throw KafkaErrors.notReady(closedBecause.get());
        }
        long began = System.nanoTime();
        try {
            return answer.get();
        } catch (StoreException e) {
            metrics.failed(call);
            failures.failed(call, e);
            throw KafkaErrors.unanswered(e);
        } catch (CatalogueException e) {
            metrics.failed(call);
            failures.failed(call, e);
            throw KafkaErrors.unanswered(e);
        } finally {
            long ended = System.nanoTime();
            metrics.call(call).record(ended - began, ended);
        }
    }

    /** A partition's key, and the way to its answers: made once, as lookups come by the million. */
    private record Assigned(TopicIdPartition partition, PartitionKey key)
            implements SegmentColumns.Reader<RemoteLogSegmentMetadata> {
        @Override
        public RemoteLogSegmentMetadata read(SegmentColumns segments, int position) {
            return KafkaMapping.segment(partition, segments, position);
        }
    }

    private Assigned assigned(TopicIdPartition partition) {
        Assigned known = assigned.get(partition);
        return known == null ? new Assigned(partition, key(partition)) : known;
    }

    private void assign(Collection<TopicIdPartition> partitions) {
        partitions.forEach(partition -> assigned.put(partition, new Assigned(partition, key(partition))));
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

    /** Leads and follows these partitions from now on. */
    public void leadershipChanged(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        assign(leaders);
        assign(followers);
        catalogue.leads(keys(leaders));
        catalogue.follows(keys(followers));
    }

    /** Has no more to do with these partitions. */
    public void stopped(Set<TopicIdPartition> partitions) {
        catalogue.stops(keys(partitions));
        partitions.forEach(assigned::remove);
    }

    private void purge() {
        if (!ready()) {
            return;
        }
        try {
            int purged = PURGE_BATCH;
            for (int i = 0; i < PURGE_BATCHES_AT_ONCE && purged == PURGE_BATCH && !closed.get(); i++) {
                purged = store.purgeDeleted(config.clusterId(), PURGE_BATCH);
            }
        } catch (StoreException e) {
            LOG.warn(
                    "Cluster {}: removing records of deleted segments failed, to be tried again: {}",
                    config.clusterId(),
                    e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Cluster {}: removing records of deleted segments failed unexpectedly", config.clusterId(), e);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        gate.close();
        writes.close();
        background.shutdownNow();
        loads.shutdownNow();
        store.close();
        metrics.close();
    }
}
