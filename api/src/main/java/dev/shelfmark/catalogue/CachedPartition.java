package dev.shelfmark.catalogue;

import dev.shelfmark.catalogue.index.IndexEditor;
import dev.shelfmark.catalogue.index.PartitionIndex;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.PartitionUpdate;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One partition's index in memory, and how it is kept current. Readers take {@link #view()} without a lock; whoever reads the store or
 * applies a change holds the lock, so that a partition is loaded once however many ask for it.
 */
final class CachedPartition {

    private final PartitionKey key;
    private final BoundedReads store;
    private final CatalogueListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private IndexEditor editor = new IndexEditor();
    private volatile @Nullable View view;
    private volatile long notBeforeNanos = System.nanoTime();
    private final AtomicBoolean loadingInBackground = new AtomicBoolean();
    private final StoreOutage outage = new StoreOutage();
    private volatile boolean dropped;

    /** What is told from when on the store was found at an earlier version than what is held; its versions then name other commits. */
    private volatile @Nullable String wentBack;

    private int weighed;

    CachedPartition(PartitionKey key, BoundedReads store, CatalogueListener listener) {
        this.key = key;
        this.store = store;
        this.listener = listener;
    }

    /**
     * An index, and when the look at the store began that it is known to agree with.
     *
     * @param index what was there
     * @param lookedAtNanos by {@link System#nanoTime()}
     */
    record View(PartitionIndex index, long lookedAtNanos) {
        /** Whether the look began at or after a moment. */
        boolean since(long nanos) {
            return lookedAtNanos - nanos >= 0;
        }
    }

    /** Whether this partition could not be read a moment ago, while others perhaps can. */
    StoreOutage outage() {
        return outage;
    }

    /** What is held, however old; null before the first load. */
    @Nullable
    View view() {
        return view;
    }

    /** How much the index weighs, in segments; an empty one weighs a little too. */
    int weight() {
        View held = view;
        return 8 + (held == null ? 0 : held.index().size());
    }

    /**
     * What is held once it agrees with a look at the store that began at or after a moment: at once when it does, else after reading
     * what changed.
     *
     * @throws CatalogueException.TimedOut when another thread holds the partition for too long
     * @throws StoreException when the store can't tell
     */
    View current(long lookedAtOrAfterNanos, long waitNanos) {
        View held = view;
        if (held != null && holds(held, lookedAtOrAfterNanos)) {
            return held;
        }
        if (!lock(waitNanos)) {
            throw new CatalogueException.TimedOut(
                    "partition " + key + " is being read by another thread for longer than "
                            + TimeUnit.NANOSECONDS.toMillis(waitNanos) + " ms");
        }
        try {
            held = view;
            return held != null && holds(held, lookedAtOrAfterNanos) ? held : look(waitNanos);
        } finally {
            lock.unlock();
        }
    }

    private boolean lock(long waitNanos) {
        try {
            return lock.tryLock(waitNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("interrupted while waiting for partition " + key, e);
        }
    }

    private View look(long silenceNanos) {
        View held = view;
        String broken = wentBack;
        if (broken != null) {
            throw new StoreException.Corrupt(broken, null);
        }
        return held == null ? load(silenceNanos) : follow(held, silenceNanos);
    }

    private View load(long silenceNanos) {
        long began = System.nanoTime();
        // What is held goes on being changed in its own editor until all is read: a part of the partition, and
        // what is gone since the rest was read, could add up to the right count.
        IndexEditor all = new IndexEditor();
        PartitionHead head = store.read(key, new Selection.All(), all::put, silenceNanos);
        PartitionIndex index = all.index(head);
        if (index.size() != head.liveSegments()) {
            throw new StoreException.Corrupt(
                    "partition " + key + " has " + index.size() + " live segments, but its head counts "
                            + head.liveSegments() + " at version " + head.version()
                            + "; run 'shelfmark check' and restore the missing rows from a backup",
                    null);
        }
        listener.loaded(index.size(), System.nanoTime() - began);
        editor = all;
        return publish(index, began);
    }

    private View follow(View held, long silenceNanos) {
        long began = System.nanoTime();
        PartitionHead before = held.index().head();
        List<SegmentRecord> changes = new ArrayList<>();
        PartitionHead head = store.read(key, new Selection.ChangedSince(before.version()), changes::add, silenceNanos);
        if (head.version() == before.version()) {
            return publish(held.index(), began);
        }
        if (head.version() < before.version()) {
            throw new StoreException.Corrupt(wentBack(before.version(), head.version()), null);
        }
        PartitionIndex index = edit(changes, withAllHighestOffsets(head, before));
        // Fewer live segments than we hold: a deletion came and was purged between two looks. Read all of it again.
        return index.size() == head.liveSegments() ? publish(index, began) : load(silenceNanos);
    }

    /**
     * Brings changes into what is held. An editor that failed on the way, such as for want of memory, may have lost segments and still count
     * them: then nothing is held any more, and all of it is read anew.
     */
    private PartitionIndex edit(List<SegmentRecord> changes, PartitionHead head) {
        try {
            changes.forEach(editor::put);
            return editor.index(head);
        } catch (RuntimeException | Error e) {
            view = null;
            throw e;
        }
    }

    /**
     * From now on nothing is answered from what is held or decided on it: when the store has counted on to the version that is held, nobody
     * could see any more that these are other commits.
     */
    String wentBack(long from, long to) {
        String first = wentBack;
        if (first != null) {
            return first;
        }
        String message = "partition " + key + " went back from version " + from + " to " + to
                + ": the catalogue was restored from a backup; set the cluster's state to 'restoring', reconcile it"
                + " with the remote storage, then set it to 'ready' again";
        wentBack = message;
        return message;
    }

    private static PartitionHead withAllHighestOffsets(PartitionHead head, PartitionHead before) {
        NavigableMap<Integer, Long> highest = new TreeMap<>(before.highestOffsets());
        highest.putAll(head.highestOffsets());
        return new PartitionHead(
                head.version(), head.topicName(), head.liveSegments(), head.maxOffsetSpan(), head.deletion(), highest);
    }

    private View publish(PartitionIndex index, long lookedAtNanos) {
        View next = new View(index, lookedAtNanos);
        view = next;
        return next;
    }

    /**
     * Folds events on what is held, without looking at the store.
     *
     * @return what they make of it, or empty when nothing is held or another thread is reading
     */
    Optional<PartitionUpdate> fold(String topicName, List<MetadataEvent> events) {
        if (!lock.tryLock()) {
            return Optional.empty();
        }
        try {
            View held = view;
            if (held == null || wentBack != null) {
                return Optional.empty();
            }
            PartitionUpdate update = new PartitionUpdate(
                    held.index().head(), id -> editor.find(id).orElse(null));
            events.forEach(event -> update.apply(topicName, event));
            return Optional.of(update);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies a commit that the store has acknowledged, if what is held is where the commit began; else makes the next reader look.
     *
     * @param head the head after the commit, with all highest offsets
     * @param sentAtNanos when the commit was sent: the store was then at its expected version
     */
    void applied(PartitionCommit commit, PartitionHead head, long sentAtNanos) {
        if (!lock.tryLock()) {
            expire();
            return;
        }
        try {
            View held = view;
            if (held == null || held.index().head().version() != commit.expectedVersion()) {
                expire();
                return;
            }
            publish(edit(commit.segments(), head), sentAtNanos);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes note of a version that the store had at or after a moment: when it is the one that is held, what is held agrees with a look
     * that began then.
     */
    void seen(long version, long lookedAtNanos) {
        if (!lock.tryLock()) {
            // Somebody is reading it, and learns at least as much.
            return;
        }
        try {
            View held = view;
            if (held != null && held.index().head().version() == version && !held.since(lookedAtNanos)) {
                publish(held.index(), lookedAtNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The version that is held, or 0. */
    long version() {
        View held = view;
        return held == null ? 0 : held.index().head().version();
    }

    /** The store is known to be at this version or a later one: what is held of an earlier one does not count any more. */
    void expireIfBehind(long version) {
        // Also when nothing is held yet: a first load that is under way may have begun before.
        if (version() < version) {
            expire();
        }
    }

    /** No look that began before now counts any more, whatever staleness is allowed. */
    void expire() {
        notBeforeNanos = System.nanoTime();
    }

    /** Whether what is held may still be answered from when the store can't be asked. */
    boolean holds(View held, long lookedAtOrAfterNanos) {
        return wentBack == null && held.since(lookedAtOrAfterNanos) && held.since(notBeforeNanos);
    }

    /** The cache has let it go: it learns of no more changes, and nobody who asks from now on may be answered from it. */
    void drop() {
        dropped = true;
    }

    boolean dropped() {
        return dropped;
    }

    /** Whether the caller is the one to load it in the background; it then reports the end. */
    boolean claimsBackgroundLoad() {
        return loadingInBackground.compareAndSet(false, true);
    }

    void backgroundLoadEnded() {
        loadingInBackground.set(false);
    }

    /** Whether the index has grown or shrunk enough since it was weighed last that the cache should know; then it counts as weighed. */
    synchronized boolean needsWeighing() {
        int weight = weight();
        if (Math.abs(weight - weighed) <= weighed / 16) {
            return false;
        }
        weighed = weight;
        return true;
    }
}
