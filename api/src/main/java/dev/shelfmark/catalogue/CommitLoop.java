package dev.shelfmark.catalogue;

import com.github.benmanes.caffeine.cache.Cache;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.catalogue.rules.PartitionUpdate;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Backoff;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Brings events into the store: decide on what is there, commit on that version, and when the version has moved or the outcome is unknown,
 * read and decide again. An event that was applied by an attempt whose answer was lost is found done, so a repeat never applies twice; an
 * attempt that is still on its way fails on the version.
 */
final class CommitLoop {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1));

    private final CatalogueStore store;
    private final Cache<PartitionKey, CachedPartition> cache;
    private final CatalogueListener listener;

    CommitLoop(CatalogueStore store, Cache<PartitionKey, CachedPartition> cache, CatalogueListener listener) {
        this.store = store;
        this.cache = cache;
        this.listener = listener;
    }

    List<WriteOutcome> write(PartitionKey key, String topicName, List<MetadataEvent> events, Deadline deadline) {
        List<WriteOutcome> outcomes = new ArrayList<>(events.size());
        int most = store.maxSegmentsPerCommit();
        for (int from = 0; from < events.size(); from += most) {
            List<MetadataEvent> batch = events.subList(from, Math.min(events.size(), from + most));
            outcomes.addAll(writeBatch(key, topicName, batch, deadline));
        }
        return outcomes;
    }

    private List<WriteOutcome> writeBatch(
            PartitionKey key, String topicName, List<MetadataEvent> events, Deadline deadline) {
        Optional<PartitionUpdate> fromMemory = foldFromMemory(key, topicName, events);
        PartitionUpdate unanswered = null;
        for (int attempt = 1; ; attempt++) {
            StoreException failure;
            try {
                PartitionUpdate update =
                        fromMemory.isPresent() ? fromMemory.get() : foldFromStore(key, topicName, events);
                fromMemory = Optional.empty();
                if (unanswered != null && unanswered.isFoundBy(update)) {
                    // Decided anew on where they have led, the first of several steps of a segment would be refused.
                    return unanswered.outcomes();
                }
                Optional<PartitionCommit> commit = update.commit();
                unanswered = commit.isPresent() ? update : unanswered;
                if (commit.isEmpty() || commit(key, commit.get(), update.head())) {
                    return update.outcomes();
                }
                listener.conflicted();
                failure = new StoreException.Unavailable(
                        "partition " + key + " is changed by others faster than this broker can: gave up after "
                                + attempt + " attempts",
                        null);
            } catch (StoreException.OutcomeUnknown e) {
                listener.outcomeUnknown();
                failure = e;
            } catch (StoreException.Unavailable e) {
                failure = e;
            }
            pause(attempt, deadline, failure);
        }
    }

    /**
     * What memory may decide alone: what a commit then proves right, by its version and by the segments that it takes for new, of which
     * memory can't know that they were deleted. When something would be refused, ignored or left unchanged, no commit would prove it.
     */
    private Optional<PartitionUpdate> foldFromMemory(PartitionKey key, String topicName, List<MetadataEvent> events) {
        CachedPartition cached = cache.getIfPresent(key);
        if (cached == null) {
            return Optional.empty();
        }
        return cached.fold(topicName, events)
                .filter(update -> update.changesSomething()
                        && update.outcomes().stream().allMatch(WriteOutcome.Done.class::isInstance));
    }

    private PartitionUpdate foldFromStore(PartitionKey key, String topicName, List<MetadataEvent> events) {
        Set<UUID> ids = new HashSet<>();
        for (MetadataEvent event : events) {
            if (event instanceof AddSegment add) {
                ids.add(add.segment().segmentId());
            } else if (event instanceof UpdateSegment update) {
                ids.add(update.segmentId());
            }
        }
        Map<UUID, SegmentRecord> stored = new HashMap<>();
        Optional<CachedPartition> held = ifCached(key);
        long before = held.map(CachedPartition::version).orElse(0L);
        PartitionHead head =
                store.read(key, new Selection.ById(ids), segment -> stored.put(segment.segmentId(), segment));
        // What this broker reports done, its own lists show: also when it was an earlier attempt that did it.
        ifCached(key).ifPresent(cached -> cached.expireIfBehind(head.version()));
        if (head.version() < before) {
            held.ifPresent(cached -> cached.wentBack(before, head.version()));
        }
        PartitionUpdate update = new PartitionUpdate(head, stored::get);
        events.forEach(event -> update.apply(topicName, event));
        return update;
    }

    private boolean commit(PartitionKey key, PartitionCommit commit, PartitionHead after) {
        long sentAt = System.nanoTime();
        CommitResult result;
        try {
            result = store.commit(key, commit);
        } catch (RuntimeException | Error e) {
            // It may be there now, and this broker must not go on answering as if it knew that it is not. A segment
            // whose copy began is in no answer but a list: for it, readers need not wait out an outage.
            if (mayBeApplied(e) && !beginsCopies(commit)) {
                ifCached(key).ifPresent(CachedPartition::expire);
            }
            throw e;
        }
        if (result instanceof CommitResult.VersionConflict) {
            ifCached(key).ifPresent(CachedPartition::expire);
            return false;
        }
        // Looked up only now: an index that came into the cache since may have been read before this commit.
        ifCached(key).ifPresent(cached -> cached.applied(commit, after, sentAt));
        return true;
    }

    /** What is no answer of the store's, such as a moment without memory, tells as little as a lost one. */
    private static boolean mayBeApplied(Throwable failure) {
        return failure instanceof StoreException.OutcomeUnknown || !(failure instanceof StoreException);
    }

    private static boolean beginsCopies(PartitionCommit commit) {
        return commit.changes().stream()
                .allMatch(change -> change instanceof StateChange.OfSegment segment
                        && segment.from() == null
                        && segment.to() == SegmentState.COPY_SEGMENT_STARTED);
    }

    private Optional<CachedPartition> ifCached(PartitionKey key) {
        return Optional.ofNullable(cache.getIfPresent(key));
    }

    private static void pause(int attempt, Deadline deadline, StoreException failure) {
        long nanos = BACKOFF.pause(attempt).toNanos();
        if (Thread.currentThread().isInterrupted() || nanos >= deadline.nanosLeft()) {
            throw failure;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
