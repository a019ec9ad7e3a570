package dev.shelfmark.store.memory;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.RecordedChange;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The SPI in its plainest form: the specification as code, and a store for tests. It forgets everything with its {@link Database},
 * so no provider offers it to brokers. Several stores on one database behave like several brokers on one server.
 */
public final class InMemoryCatalogueStore implements CatalogueStore, ProgressKeeping {

    private static final int MAX_SEGMENTS_PER_COMMIT = 100;

    private final Database database;
    private final Retention retention;
    private final StoreListener listener;
    private volatile boolean closed;

    public InMemoryCatalogueStore(Database database, Retention retention, StoreListener listener) {
        this.database = database;
        this.retention = retention;
        this.listener = listener;
    }

    /** What outlives a store: the "server" that several stores share. */
    public static final class Database {
        final Map<String, ClusterRecord> clusters = new TreeMap<>();
        final Map<PartitionKey, Partition> partitions = new HashMap<>();
        final Map<String, InMemoryBulkLoader.Import> imports = new HashMap<>();
        final Map<String, NavigableMap<Integer, BrokerHeartbeat>> heartbeats = new HashMap<>();
        final Map<String, InMemoryProgress> progress = new HashMap<>();
        final Clock clock;

        /** An empty database; the clock dates deletions and the history. */
        public Database(Clock clock) {
            this.clock = clock;
        }

        /** As {@link StoreAdministration#putCluster}. */
        public synchronized boolean putCluster(ClusterRecord next) {
            ClusterRecord current = clusters.get(next.clusterId());
            if ((current == null ? 0 : current.revision()) != next.revision() - 1) {
                return false;
            }
            clusters.put(next.clusterId(), next);
            return true;
        }

        /** As {@link StoreAdministration#clusters}. */
        public synchronized List<ClusterRecord> clusters() {
            return List.copyOf(clusters.values());
        }

        /** As {@link BulkLoading#claimLoad(String, String, Duration)}. */
        public LoadClaim claimLoad(String clusterId, String holder, Duration term) {
            return claimLoad(clusterId, ClusterState.IMPORTING, holder, term);
        }

        /** As {@link BulkLoading#claimLoad(String, ClusterState, String, Duration)}. */
        public LoadClaim claimLoad(String clusterId, ClusterState during, String holder, Duration term) {
            return InMemoryBulkLoader.claim(this, clusterId, during, holder, term);
        }

        /** As {@link BulkLoading#checkpoints}. */
        public synchronized Map<Integer, BulkLoader.Checkpoint> checkpoints(String clusterId) {
            InMemoryBulkLoader.Import known = imports.get(clusterId);
            return known == null ? Map.of() : Map.copyOf(known.checkpoints);
        }

        /** As {@link ProgressAcceptance#progress}. */
        public synchronized Optional<CatalogueProgress> progress(String clusterId) {
            return Optional.ofNullable(progress.get(clusterId)).flatMap(InMemoryProgress::found);
        }

        /** As {@link ProgressAcceptance#accept}. */
        public synchronized boolean accept(
                String clusterId, Optional<String> current, String next, Set<String> replaces) {
            return progress.computeIfAbsent(clusterId, unused -> new InMemoryProgress())
                    .accept(current, next, replaces);
        }

        /** As {@link StoreAdministration#heartbeats}. */
        public synchronized List<BrokerHeartbeat> heartbeats(String clusterId) {
            return List.copyOf(
                    heartbeats.getOrDefault(clusterId, new TreeMap<>()).values());
        }
    }

    static final class Partition {
        PartitionHead head = PartitionHead.NEW;
        final Map<UUID, SegmentRecord> segments = new LinkedHashMap<>();
        final Map<UUID, Instant> deletedAt = new HashMap<>();
        final List<Kept> history = new ArrayList<>();

        /** @param until when its time is over */
        record Kept(RecordedChange change, Instant until) {}

        /** Takes the head of a change, whose highest offsets are only those that it raises. */
        void raise(PartitionHead next) {
            NavigableMap<Integer, Long> highest = new TreeMap<>(head.highestOffsets());
            highest.putAll(next.highestOffsets());
            head = new PartitionHead(
                    next.version(),
                    next.topicName(),
                    next.liveSegments(),
                    next.maxOffsetSpan(),
                    next.deletion(),
                    highest);
        }
    }

    @Override
    public void verify() {
        ensureOpen();
        listener.requested("verify", 0, 0);
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        ensureOpen();
        listener.requested("cluster", 1, 0);
        synchronized (database) {
            return Optional.ofNullable(database.clusters.get(clusterId));
        }
    }

    @Override
    public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
        ensureOpen();
        PartitionHead head;
        List<SegmentRecord> selected;
        synchronized (database) {
            Partition partition = database.partitions.getOrDefault(key, new Partition());
            head = partition.head;
            selected = select(partition.segments, selection);
        }
        listener.requested("read", selected.size(), 0);
        selected.forEach(segments);
        return head;
    }

    private static List<SegmentRecord> select(Map<UUID, SegmentRecord> byIds, Selection selection) {
        Collection<SegmentRecord> all = byIds.values();
        Stream<SegmentRecord> live =
                all.stream().filter(segment -> segment.state().live());
        if (selection instanceof Selection.HeadOnly) {
            return List.of();
        } else if (selection instanceof Selection.All) {
            return live.toList();
        } else if (selection instanceof Selection.ChangedSince changed) {
            return all.stream()
                    .filter(segment -> segment.version() > changed.version())
                    .toList();
        } else if (selection instanceof Selection.ById byId) {
            return byId.segmentIds().stream()
                    .filter(byIds::containsKey)
                    .map(byIds::get)
                    .toList();
        } else if (selection instanceof Selection.Holding holding) {
            return live.filter(segment -> segment.holds(holding.offset())).toList();
        } else if (selection instanceof Selection.WithTxnIndex page) {
            return live.filter(segment -> !segment.txnIndexEmpty() && segment.endOffset() >= page.offset())
                    .filter(segment -> page.after() == null || position(segment).compareTo(page.after()) > 0)
                    .sorted(Comparator.comparing(InMemoryCatalogueStore::position))
                    .limit(page.limit())
                    .toList();
        }
        throw new IllegalArgumentException("unknown selection " + selection);
    }

    private static Selection.Position position(SegmentRecord segment) {
        return new Selection.Position(segment.startOffset(), segment.segmentId());
    }

    @Override
    public CommitResult commit(PartitionKey key, PartitionCommit commit) {
        ensureOpen();
        if (commit.segments().size() > MAX_SEGMENTS_PER_COMMIT) {
            throw new StoreException.Unsupported(
                    commit.segments().size() + " segments in one commit; at most " + MAX_SEGMENTS_PER_COMMIT, null);
        }
        int kept = retention.keepsHistory() ? commit.changes().size() : 0;
        listener.requested("commit", commit.segments().size() + kept, 0);
        synchronized (database) {
            Partition partition = database.partitions.computeIfAbsent(key, unused -> new Partition());
            if (partition.head.version() != commit.expectedVersion()
                    || commit.newSegments().stream().anyMatch(partition.segments::containsKey)) {
                return new CommitResult.VersionConflict();
            }
            partition.raise(commit.head());
            for (SegmentRecord segment : commit.segments()) {
                partition.segments.put(segment.segmentId(), segment);
                if (!segment.state().live()) {
                    partition.deletedAt.putIfAbsent(segment.segmentId(), database.clock.instant());
                }
            }
            keep(partition, commit.changes());
            return new CommitResult.Committed();
        }
    }

    private void keep(Partition partition, List<StateChange> changes) {
        if (retention.keepsHistory()) {
            Instant now = database.clock.instant();
            for (StateChange change : changes) {
                partition.history.add(
                        new Partition.Kept(new RecordedChange(change, now), now.plus(retention.history())));
            }
        }
    }

    @Override
    public int maxSegmentsPerCommit() {
        return MAX_SEGMENTS_PER_COMMIT;
    }

    @Override
    public int purgeDeleted(String clusterId, int limit) {
        ensureOpen();
        Instant before = database.clock.instant().minus(retention.deletedSegments());
        List<UUID> purged = new ArrayList<>();
        synchronized (database) {
            database.partitions.forEach((key, partition) -> {
                Iterator<Map.Entry<UUID, Instant>> due =
                        partition.deletedAt.entrySet().iterator();
                while (key.clusterId().equals(clusterId) && due.hasNext() && purged.size() < limit) {
                    Map.Entry<UUID, Instant> next = due.next();
                    if (next.getValue().isBefore(before)) {
                        partition.segments.remove(Objects.requireNonNull(next.getKey()));
                        purged.add(next.getKey());
                        due.remove();
                    }
                }
            });
        }
        listener.requested("purge", purged.size(), 0);
        return purged.size();
    }

    @Override
    public int purgeHistory(int limit) {
        ensureOpen();
        int purged = 0;
        synchronized (database) {
            Instant now = database.clock.instant();
            for (Partition partition : database.partitions.values()) {
                Iterator<Partition.Kept> kept = partition.history.iterator();
                while (kept.hasNext() && purged < limit) {
                    if (!kept.next().until().isAfter(now)) {
                        kept.remove();
                        purged++;
                    }
                }
            }
        }
        listener.requested("purge.history", purged, 0);
        return purged;
    }

    @Override
    public void heartbeat(BrokerHeartbeat beat) {
        ensureOpen();
        listener.requested("heartbeat", 1, 0);
        synchronized (database) {
            database.heartbeats
                    .computeIfAbsent(beat.clusterId(), unused -> new TreeMap<>())
                    .put(beat.brokerId(), beat);
        }
    }

    @Override
    public Optional<CatalogueProgress> progress(String clusterId) {
        ensureOpen();
        listener.requested("progress", 1, 0);
        return database.progress(clusterId);
    }

    @Override
    public void begin(String clusterId, String catalogueId) {
        ensureOpen();
        listener.requested("progress.begin", 1, 0);
        synchronized (database) {
            database.progress
                    .computeIfAbsent(clusterId, unused -> new InMemoryProgress())
                    .begin(catalogueId);
        }
    }

    @Override
    public void putProgress(String clusterId, BrokerProgress progress) {
        ensureOpen();
        listener.requested("progress.put", 1, 0);
        synchronized (database) {
            database.progress
                    .computeIfAbsent(clusterId, unused -> new InMemoryProgress())
                    .put(progress);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private void ensureOpen() {
        if (closed) {
            throw new StoreException.Unavailable("the store is closed", null);
        }
    }
}
