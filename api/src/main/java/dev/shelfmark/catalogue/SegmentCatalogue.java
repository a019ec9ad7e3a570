package dev.shelfmark.catalogue;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.shelfmark.catalogue.CachedPartition.View;
import dev.shelfmark.catalogue.index.IndexEditor;
import dev.shelfmark.catalogue.index.PartitionIndex;
import dev.shelfmark.catalogue.index.SegmentColumns;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.VersionReading;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What may be asked of the catalogue and reported to it.
 *
 * <p>Every answer is as of a look at the store that began no earlier than the allowed staleness before the call. When that can't be had,
 * the call throws ({@link StoreException}, {@link CatalogueException}); it never answers "nothing" for "I can't tell". For the time of
 * an outage, and only within its limit, a led partition is answered from memory.
 *
 * <p>Lookups take a mapping, so that an answer is made once, in the caller's own type. All methods may be called by many threads.
 */
public final class SegmentCatalogue {

    private static final int TXN_INDEX_PAGE = 64;
    /** A look that counts for less than a pass takes would be made anew for each partition of it. */
    private static final Duration SHARED_LOOK_FROM = Duration.ofSeconds(1);

    private static final Duration WAIT_WHEN_MEMORY_WILL_DO = Duration.ofMillis(500);

    private final CatalogueSettings settings;
    private final long leaderMaxStalenessNanos;
    private final CatalogueListener listener;
    private final Executor backgroundLoads;
    private final Leadership leadership = new Leadership();
    private final StoreOutage outage = new StoreOutage();
    private final OutageCheck outageCheck;
    private final Cache<PartitionKey, CachedPartition> cache;
    private final CommitLoop writer;
    private final Supplier<ReadPatience> patience;
    private final BoundedReads reads;
    private final StoreBreaker breaker;

    /** Null when the store tells of one partition at a time. */
    private final @Nullable BatchedVersionCheck sharedLook;

    /**
     * A catalogue over a store, which it does not close.
     *
     * @param backgroundLoads where partitions are read into memory ahead of need; may reject
     */
    public SegmentCatalogue(
            CatalogueStore store, CatalogueSettings settings, CatalogueListener listener, Executor backgroundLoads) {
        this(
                store,
                settings,
                listener,
                backgroundLoads,
                null,
                () -> new ReadPatience(settings.readTimeout(), Duration.ZERO),
                () -> {});
    }

    /**
     * A catalogue whose callers wait no longer than they may.
     *
     * @param readers where reads of the store run, so that a caller can give one up; null for the callers' own threads
     * @param patience how long the calling thread may wait
     * @param whenRecovered run, on the thread that finds out, when a store that failed answers again
     */
    public SegmentCatalogue(
            CatalogueStore store,
            CatalogueSettings settings,
            CatalogueListener listener,
            Executor backgroundLoads,
            @Nullable Executor readers,
            Supplier<ReadPatience> patience,
            Runnable whenRecovered) {
        this.patience = patience;
        this.reads = new BoundedReads(store, readers);
        this.breaker = new StoreBreaker(whenRecovered);
        this.settings = settings;
        this.leaderMaxStalenessNanos = settings.leaderMaxStaleness().toNanos();
        this.listener = listener;
        this.backgroundLoads = backgroundLoads;
        this.outageCheck = new OutageCheck(store, outage, backgroundLoads);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(settings.maxCachedSegments())
                .weigher((PartitionKey key, CachedPartition partition) -> partition.weight())
                .evictionListener((key, partition, cause) ->
                        Objects.requireNonNull(partition).drop())
                // The cache's own housekeeping is short: it needs no thread of a pool that is not ours.
                .executor(Runnable::run)
                .build();
        this.writer = new CommitLoop(store, cache, listener);
        boolean sharing = settings.leaderMaxStaleness().compareTo(SHARED_LOOK_FROM) >= 0;
        this.sharedLook = sharing && store instanceof VersionReading versions
                ? new BatchedVersionCheck(versions, reads, cache, leadership, settings)
                : null;
    }

    /**
     * Brings events into the catalogue, in order.
     *
     * @return the outcome of each, in order. Those of one call are written together as far as a commit can hold them
     * @throws StoreException when the deadline passed without a certain outcome: some of the events may be applied; repeating them
     *     is safe
     */
    public List<WriteOutcome> write(PartitionKey key, String topicName, List<MetadataEvent> events, Deadline deadline) {
        List<WriteOutcome> outcomes = writer.write(key, topicName, events, deadline);
        CachedPartition cached = cache.getIfPresent(key);
        if (cached != null) {
            weigh(key, cached);
        }
        return outcomes;
    }

    /** A partition for who asks for it often. */
    public PartitionHandle handle(PartitionKey key) {
        return new PartitionHandle(key);
    }

    /**
     * What is held of a partition that is led, when it may be answered from as it is; null when it may not: the other methods then look, or
     * tell why they can't. It is not counted as an answer from memory.
     *
     * @param calledAtNanos when the question came, by {@link System#nanoTime()}: to ask for the time takes a good part of an answer's
     */
    public @Nullable PartitionIndex held(PartitionHandle partition, long calledAtNanos) {
        Leadership.Term term = partition.term(leadership);
        CachedPartition cached = partition.cached(cache, calledAtNanos);
        if (term == null || cached == null) {
            return null;
        }
        View held = cached.view();
        return held != null
                        && cached.holds(held, leaderLooksFrom(calledAtNanos, term.sinceNanos()))
                        && !deleted(held.index())
                ? held.index()
                : null;
    }

    /** The finished segment to read an offset of an epoch from; see {@link PartitionIndex#lookup}. */
    public <T> Optional<T> lookup(PartitionKey key, int epoch, long offset, Function<SegmentRecord, T> as) {
        return read(key, epoch, offset, ofRecord(as));
    }

    /** The same, without a record in between. */
    public <T> Optional<T> read(PartitionKey key, int epoch, long offset, SegmentColumns.Reader<T> as) {
        PartitionIndex index = ifHeld(key);
        if (index == null) {
            index = readOnly(key, new Selection.Holding(offset));
            loadAhead(key, index.head());
        }
        return exists(key, index).lookup(epoch, offset, as);
    }

    /** The next segment of an epoch that may have a transaction index; see {@link PartitionIndex#nextWithTxnIndex}. */
    public <T> Optional<T> nextWithTxnIndex(PartitionKey key, int epoch, long offset, Function<SegmentRecord, T> as) {
        PartitionIndex held = ifHeld(key);
        if (held != null) {
            return exists(key, held).nextWithTxnIndex(epoch, offset, ofRecord(as));
        }
        Selection.Position after = null;
        while (true) {
            LastPosition last = new LastPosition(after);
            PartitionIndex page = readOnly(key, new Selection.WithTxnIndex(offset, TXN_INDEX_PAGE, after), last);
            loadAhead(key, page.head());
            Optional<T> found = exists(key, page).nextWithTxnIndex(epoch, offset, ofRecord(as));
            if (found.isPresent()
                    || Objects.equals(last.position, after)
                    || !mayComeLater(page.head(), epoch, offset, Objects.requireNonNull(last.position))) {
                return found;
            }
            after = last.position;
        }
    }

    /**
     * Whether a finished segment behind a position may have records of the epoch at or after the offset. The broker asks for each epoch in turn,
     * those without any transaction included: what comes after an epoch's end is not walked through.
     */
    private static boolean mayComeLater(PartitionHead head, int epoch, long offset, Selection.Position position) {
        Long highest = head.highestOffsets().get(epoch);
        return highest != null && highest >= offset && highest >= position.startOffset();
    }

    /** The highest offset of an epoch that was ever in a finished segment; deletions do not lower it. */
    public Optional<Long> highestOffset(PartitionKey key, int epoch) {
        PartitionIndex index = ifHeld(key);
        if (index == null) {
            index = readOnly(key, new Selection.HeadOnly());
            loadAhead(key, index.head());
        }
        return Optional.ofNullable(exists(key, index).head().highestOffsets().get(epoch));
    }

    /** Every segment that is not deleted, in order, as it is now; the iterator needs neither the store nor a close. */
    public <T> Iterator<T> list(PartitionKey key, Function<SegmentRecord, T> as) {
        return readAll(key, ofRecord(as));
    }

    /** The same, without records in between. */
    public <T> Iterator<T> readAll(PartitionKey key, SegmentColumns.Reader<T> as) {
        return exists(key, indexToList(key)).list(as);
    }

    /** Every segment of an epoch that is not deleted, in order, as it is now. */
    public <T> Iterator<T> list(PartitionKey key, int epoch, Function<SegmentRecord, T> as) {
        return readAll(key, epoch, ofRecord(as));
    }

    /** The same, without records in between. */
    public <T> Iterator<T> readAll(PartitionKey key, int epoch, SegmentColumns.Reader<T> as) {
        return exists(key, indexToList(key)).list(epoch, as);
    }

    private static <T> SegmentColumns.Reader<T> ofRecord(Function<SegmentRecord, T> as) {
        return (segments, position) -> as.apply(segments.segment(position));
    }

    /** The summed size in bytes of the segments of an epoch that are not deleted, each with its whole size, as Kafka's manager sums it. */
    public long sizeInBytes(PartitionKey key, int epoch) {
        return exists(key, index(key)).sizeInBytes(epoch);
    }

    /** This broker leads these partitions from now on. Never blocks. */
    public void leads(Set<PartitionKey> partitions) {
        leadership.leads(partitions);
    }

    /** This broker follows these partitions from now on. Never blocks. */
    public void follows(Set<PartitionKey> partitions) {
        leadership.leadsNoMore(partitions);
    }

    /** This broker has no more to do with these partitions. Never blocks. */
    public void stops(Set<PartitionKey> partitions) {
        leadership.leadsNoMore(partitions);
        partitions.forEach(this::drop);
    }

    /** Forgets everything that is held in memory: the next answers come from the store. */
    public void forget() {
        cache.asMap().keySet().forEach(this::drop);
    }

    private void drop(PartitionKey key) {
        cache.asMap().computeIfPresent(key, (unused, partition) -> {
            partition.drop();
            return null;
        });
    }

    /** The store was seen to answer: reads need not wait for their next try. */
    public void storeAnswers() {
        outage.succeeded();
        breaker.succeeded();
    }

    /** How many partitions this broker leads. */
    public int ledPartitions() {
        return leadership.size();
    }

    /** How many segments are held in memory. */
    public long cachedSegments() {
        return cache.asMap().values().stream()
                .mapToLong(CachedPartition::weight)
                .sum();
    }

    private static PartitionIndex exists(PartitionKey key, PartitionIndex index) {
        if (deleted(index)) {
            throw new CatalogueException.PartitionDeleted("partition " + key + " is deleted");
        }
        return index;
    }

    private static boolean deleted(PartitionIndex index) {
        return index.head().deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED;
    }

    /** The index if it is held, made current; null when an answer is had faster from the store than by reading the whole partition. */
    private @Nullable PartitionIndex ifHeld(PartitionKey key) {
        CachedPartition cached = cache.getIfPresent(key);
        return cached != null && cached.view() != null ? index(key, cached) : null;
    }

    /** Reads a partition that is led into memory, unless there is no room: lookups must not push out what others need. */
    private void loadAhead(PartitionKey key, PartitionHead head) {
        if (leadership.ledSince(key).isPresent()
                && head.liveSegments() + heldWeight() <= settings.maxCachedSegments()) {
            loadInBackground(key);
        }
    }

    private long heldWeight() {
        return cache.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }

    private void loadInBackground(PartitionKey key) {
        CachedPartition cached = cache.get(key, this::newPartition);
        if (!cached.claimsBackgroundLoad()) {
            return;
        }
        try {
            backgroundLoads.execute(() -> {
                try {
                    index(key, cached);
                } catch (StoreException | CatalogueException e) {
                    // Only ahead of need: whoever needs the partition reads it, and is told why it can't. An outage was
                    // noted where it was met; a partition that can't be understood is none.
                } finally {
                    cached.backgroundLoadEnded();
                }
            });
        } catch (RuntimeException | Error e) {
            // There is no room or no thread for it, or the plugin is being closed: who asked is answered all the same.
            cached.backgroundLoadEnded();
        }
    }

    private PartitionIndex index(PartitionKey key) {
        return index(key, cache.get(key, this::newPartition));
    }

    /** Lists come for one partition after the other: where one look can serve many of them, it does. */
    private PartitionIndex indexToList(PartitionKey key) {
        CachedPartition cached = cache.get(key, this::newPartition);
        OptionalLong ledSince = leadership.ledSince(key);
        View held = cached.view();
        if (sharedLook != null && held != null && ledSince.isPresent() && !outage.justFailed()) {
            long lookedAtOrAfter = leaderLooksFrom(System.nanoTime(), ledSince.getAsLong());
            if (!cached.holds(held, lookedAtOrAfter)) {
                look(sharedLook, key, cached, lookedAtOrAfter);
            }
        }
        return index(key, cached);
    }

    private void look(BatchedVersionCheck shared, PartitionKey key, CachedPartition cached, long lookedAtOrAfter) {
        try {
            shared.at(key, cached, lookedAtOrAfter, WAIT_WHEN_MEMORY_WILL_DO.toNanos());
        } catch (StoreException.Unavailable e) {
            // What may be answered then is decided where it is always decided.
            outage.failed();
        }
    }

    private CachedPartition newPartition(PartitionKey key) {
        return new CachedPartition(key, reads, listener);
    }

    private PartitionIndex index(PartitionKey key, CachedPartition cached) {
        long now = System.nanoTime();
        OptionalLong ledSince = leadership.ledSince(key);
        long lookedAtOrAfter = ledSince.isPresent()
                ? leaderLooksFrom(now, ledSince.getAsLong())
                : now - settings.followerMaxStaleness().toNanos();
        View held = cached.view();
        if (held != null && cached.holds(held, lookedAtOrAfter)) {
            listener.answeredFromMemory();
            return held.index();
        }
        boolean memoryWillDo = held != null
                && ledSince.isPresent()
                && cached.holds(held, later(now - settings.outageMaxStaleness().toNanos(), ledSince.getAsLong()));
        if (memoryWillDo && (outage.justFailed() || cached.outage().justFailed())) {
            listener.answeredDuringOutage();
            return Objects.requireNonNull(held).index();
        }
        ReadPatience caller = patience.get();
        if (!memoryWillDo) {
            breaker.check(caller);
        }
        try {
            Duration wait = memoryWillDo ? WAIT_WHEN_MEMORY_WILL_DO : caller.silence();
            PartitionIndex index =
                    cached.current(lookedAtOrAfter, wait.toNanos()).index();
            outage.succeeded();
            breaker.succeeded();
            cached.outage().succeeded();
            weigh(key, cached);
            return index;
        } catch (StoreException.Unavailable | CatalogueException.TimedOut e) {
            if (e instanceof StoreException.Unavailable unavailable) {
                breaker.failed(unavailable);
            }
            cached.outage().failed();
            outage.failed();
            outageCheck.look(key, cache.asMap());
            if (!memoryWillDo) {
                throw e;
            }
            listener.answeredDuringOutage();
            return Objects.requireNonNull(held).index();
        } catch (StoreException e) {
            breaker.failed(e);
            throw e;
        }
    }

    /** From when on a look at the store counts for a leader: what it saw before it led, others may have changed. */
    private long leaderLooksFrom(long now, long ledSinceNanos) {
        return later(now - leaderMaxStalenessNanos, ledSinceNanos);
    }

    private static long later(long nanos, long otherNanos) {
        return nanos - otherNanos > 0 ? nanos : otherNanos;
    }

    private void weigh(PartitionKey key, CachedPartition cached) {
        if (cached.needsWeighing()) {
            cache.asMap().replace(key, cached, cached);
        }
    }

    private PartitionIndex readOnly(PartitionKey key, Selection selection) {
        return readOnly(key, selection, new LastPosition(null));
    }

    private PartitionIndex readOnly(PartitionKey key, Selection selection, LastPosition last) {
        ReadPatience caller = patience.get();
        breaker.check(caller);
        IndexEditor editor = new IndexEditor();
        try {
            PartitionHead head = reads.read(
                    key,
                    selection,
                    segment -> {
                        editor.put(segment);
                        last.advance(new Selection.Position(segment.startOffset(), segment.segmentId()));
                    },
                    caller.silence().toNanos());
            breaker.succeeded();
            return editor.index(head);
        } catch (StoreException e) {
            breaker.failed(e);
            throw e;
        }
    }

    /** Where a page ended: the furthest of what was handed over, or where it began. */
    private static final class LastPosition {
        private Selection.@Nullable Position position;

        LastPosition(Selection.@Nullable Position position) {
            this.position = position;
        }

        void advance(Selection.Position to) {
            if (position == null || position.compareTo(to) < 0) {
                position = to;
            }
        }
    }
}
