package dev.shelfmark.store.memory;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link CatalogueListing} in its plainest form, on an {@link InMemoryCatalogueStore.Database}. */
public final class InMemoryCatalogueListing implements CatalogueListing {

    private final InMemoryCatalogueStore.Database database;
    private final StoreListener listener;
    private volatile boolean closed;

    public InMemoryCatalogueListing(InMemoryCatalogueStore.Database database, StoreListener listener) {
        this.database = database;
        this.listener = listener;
    }

    @Override
    public void verify() {
        ensureOpen();
        listener.requested("verify", 0, 0);
    }

    @Override
    public List<ClusterRecord> clusters() {
        ensureOpen();
        List<ClusterRecord> clusters = database.clusters();
        listener.requested("clusters", clusters.size(), 0);
        return clusters;
    }

    @Override
    public Page<PartitionSummary> partitions(String clusterId, @Nullable String after, int limit) {
        ensureOpen();
        synchronized (database) {
            return page(
                    "list.partitions",
                    database.partitions.entrySet().stream()
                            .filter(entry -> entry.getKey().clusterId().equals(clusterId))
                            .map(entry -> new Positioned<>(
                                    ofPartition(entry.getKey()),
                                    PartitionSummary.of(entry.getKey(), entry.getValue().head))),
                    after,
                    limit);
        }
    }

    @Override
    public Page<SegmentRecord> segments(PartitionKey key, Kept kept, @Nullable String after, int limit) {
        ensureOpen();
        synchronized (database) {
            InMemoryCatalogueStore.Partition partition = database.partitions.get(key);
            Stream<SegmentRecord> all = partition == null ? Stream.empty() : partition.segments.values().stream();
            return page(
                    "list.segments",
                    all.filter(segment -> segment.state().live() == (kept == Kept.LIVE))
                            .map(segment -> new Positioned<>(ofSegment(segment), segment)),
                    after,
                    limit);
        }
    }

    @Override
    public Page<RecordedChange> history(PartitionKey key, @Nullable String after, int limit) {
        ensureOpen();
        synchronized (database) {
            InMemoryCatalogueStore.Partition partition = database.partitions.get(key);
            Instant now = database.clock.instant();
            Stream<InMemoryCatalogueStore.Partition.Kept> all =
                    partition == null ? Stream.empty() : partition.history.stream();
            return page(
                    "list.history",
                    all.filter(kept -> kept.until().isAfter(now))
                            .map(InMemoryCatalogueStore.Partition.Kept::change)
                            .map(change -> new Positioned<>(
                                    "%019d".formatted(change.change().version()), change)),
                    after,
                    limit);
        }
    }

    /** @param position text that sorts as the items do */
    private record Positioned<T>(String position, T value) {}

    private static String ofPartition(PartitionKey key) {
        return "%s-%010d".formatted(TextualId.of(key.topicId()), key.partition());
    }

    private static String ofSegment(SegmentRecord segment) {
        UUID id = segment.segmentId();
        return "%019d-%016x%016x"
                .formatted(segment.startOffset(), id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private <T> Page<T> page(String operation, Stream<Positioned<T>> all, @Nullable String after, int limit) {
        int size = Math.min(limit, MAX_PAGE);
        List<Positioned<T>> found = all.filter(
                        item -> after == null || item.position().compareTo(after) > 0)
                .sorted(Comparator.comparing(Positioned::position))
                .limit(size + 1L)
                .toList();
        List<Listed<T>> items = new ArrayList<>();
        found.stream().limit(size).forEach(item -> items.add(new Found<>(item.value())));
        listener.requested(operation, items.size(), 0);
        return new Page<>(items, found.size() > size ? found.get(size - 1).position() : null);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void ensureOpen() {
        if (closed) {
            throw new StoreException.Unavailable("the listing is closed", null);
        }
    }
}
