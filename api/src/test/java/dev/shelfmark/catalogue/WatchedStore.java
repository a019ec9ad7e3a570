package dev.shelfmark.catalogue;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.VersionReading;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The reference store, which writes down what it is asked for and fails on demand. */
class WatchedStore implements CatalogueStore {

    /** What happens to a commit. */
    enum Fate {
        UNAVAILABLE,
        ANSWER_LOST,
        LOST_ON_THE_WAY
    }

    volatile CatalogueStore reference;
    final List<String> asked = new CopyOnWriteArrayList<>();
    final Queue<Fate> fates = new ArrayDeque<>();
    volatile boolean down;
    volatile Runnable beforeRead = () -> {};

    /** Runs before each segment but a read's first. */
    volatile Runnable beforeNextSegment = () -> {};

    volatile Runnable beforeCommit = () -> {};

    /** Runs when a commit was applied or is in conflict, and its answer is not lost. */
    volatile Runnable afterCommit = () -> {};

    WatchedStore(InMemoryCatalogueStore.Database database, Duration retention) {
        reference =
                new InMemoryCatalogueStore(database, new Retention(retention, Duration.ofDays(1)), StoreListener.NONE);
    }

    static InMemoryCatalogueStore.Database database() {
        return new InMemoryCatalogueStore.Database(Clock.systemUTC());
    }

    /** One that tells many versions at once. */
    static final class OfVersions extends WatchedStore implements VersionReading {
        OfVersions(InMemoryCatalogueStore.Database database, Duration retention) {
            super(database, retention);
        }

        @Override
        public Map<PartitionKey, Long> versions(String clusterId, List<PartitionKey> keys) {
            asked.add("versions of " + keys.size());
            ensureUp();
            Map<PartitionKey, Long> versions = new HashMap<>();
            for (PartitionKey key : keys) {
                PartitionHead head = reference.read(key, new Selection.HeadOnly(), unused -> {});
                if (head.version() > 0) {
                    versions.put(key, head.version());
                }
            }
            return versions;
        }
    }

    void ensureUp() {
        if (down) {
            throw new StoreException.Unavailable("down", null);
        }
    }

    @Override
    public void verify() {
        ensureUp();
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        ensureUp();
        return reference.cluster(clusterId);
    }

    @Override
    public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
        asked.add(selection.getClass().getSimpleName());
        beforeRead.run();
        ensureUp();
        boolean[] begun = new boolean[1];
        return reference.read(key, selection, segment -> {
            if (begun[0]) {
                beforeNextSegment.run();
            }
            begun[0] = true;
            segments.accept(segment);
        });
    }

    @Override
    public CommitResult commit(PartitionKey key, PartitionCommit commit) {
        asked.add("commit of " + commit.segments().size());
        beforeCommit.run();
        ensureUp();
        Fate fate = fates.poll();
        if (fate == Fate.UNAVAILABLE) {
            throw new StoreException.Unavailable("not sent", null);
        }
        if (fate == Fate.LOST_ON_THE_WAY) {
            throw new StoreException.OutcomeUnknown("lost on the way", null);
        }
        CommitResult result = reference.commit(key, commit);
        if (fate == Fate.ANSWER_LOST) {
            throw new StoreException.OutcomeUnknown("answer lost", null);
        }
        afterCommit.run();
        return result;
    }

    @Override
    public int maxSegmentsPerCommit() {
        return reference.maxSegmentsPerCommit();
    }

    @Override
    public int purgeDeleted(String clusterId, int limit) {
        return reference.purgeDeleted(clusterId, limit);
    }

    @Override
    public int purgeHistory(int limit) {
        return reference.purgeHistory(limit);
    }

    @Override
    public void heartbeat(BrokerHeartbeat beat) {
        ensureUp();
        reference.heartbeat(beat);
    }

    @Override
    public void close() {
        reference.close();
    }
}
