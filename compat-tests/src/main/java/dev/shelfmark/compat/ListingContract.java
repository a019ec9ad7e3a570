package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.PartitionSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link CatalogueListing}, with an auditor's rights. */
@DisplayName("Listing: everything that is kept, page by page, with an auditor's rights")
public abstract class ListingContract extends StoreContract {

    private static final Comparator<SegmentRecord> BY_POSITION =
            Comparator.comparing(segment -> new Selection.Position(segment.startOffset(), segment.segmentId()));

    protected ListingContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private CatalogueListing listing() {
        return listing(StoreListener.NONE);
    }

    private CatalogueListing listing(StoreListener listener) {
        return closeLater(harness().listing(listener));
    }

    /** Every item of a listing, with pages of at most so many, none of which may hold more. */
    private static <T> List<T> drain(int limit, Function<@Nullable String, Page<T>> pages) {
        List<T> all = new ArrayList<>();
        String after = null;
        do {
            Page<T> page = pages.apply(after);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(item -> all.add(((Found<T>) item).value()));
            after = page.next();
        } while (after != null);
        return all;
    }

    private static List<SegmentRecord> segments(CatalogueListing listing, PartitionKey key, Kept kept, int limit) {
        return drain(limit, after -> listing.segments(key, kept, after, limit));
    }

    private static List<PartitionSummary> partitions(CatalogueListing listing, String clusterId, int limit) {
        return drain(limit, after -> listing.partitions(clusterId, after, limit));
    }

    @Test
    @DisplayName("verify needs no right to write, and clusters are as the administration has them")
    void clusters() {
        String clusterId = newCluster();
        CatalogueListing listing = listing();
        listing.verify();
        assertThat(listing.clusters().stream().map(ClusterRecord::clusterId))
                .contains(clusterId)
                .isSorted();
        assertThat(listing.clusters()).contains(store().cluster(clusterId).orElseThrow());
    }

    @Test
    @DisplayName("What was never written has no partitions and no segments")
    void empty() {
        CatalogueListing listing = listing();
        TestPartition partition = newPartition();
        assertThat(partitions(listing, partition.key().clusterId(), 10)).isEmpty();
        for (Kept kept : Kept.values()) {
            assertThat(segments(listing, partition.key(), kept, 10)).isEmpty();
        }
    }

    @Test
    @DisplayName("Each partition once, in an order that never changes, whatever the pages' size")
    void partitionsInPages() {
        CatalogueListing listing = listing();
        String clusterId = newCluster();
        Map<PartitionKey, PartitionSummary> written = new java.util.HashMap<>();
        for (UUID topic : List.of(new UUID(-1, 5), new UUID(0, 1), UUID.randomUUID())) {
            for (int number : new int[] {0, 2, 10}) {
                TestPartition partition = new TestPartition(store(), new PartitionKey(clusterId, topic, number));
                partition.put(
                        Segments.finished(0, 9 + number),
                        Segments.started(20, 29),
                        Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(40, 49)));
                written.put(partition.key(), PartitionSummary.of(partition.key(), partition.head()));
            }
        }
        List<PartitionSummary> all = partitions(listing, clusterId, 1000);
        assertThat(all).containsExactlyInAnyOrderElementsOf(written.values());
        for (int limit : new int[] {1, 2, 3, 8, 9, 10}) {
            assertThat(partitions(listing, clusterId, limit))
                    .as("pages of %s", limit)
                    .isEqualTo(all);
        }
    }

    @Test
    @DisplayName("Live segments by start offset and id, deleted ones apart, whatever the pages' size")
    void segmentsInPages() {
        CatalogueListing listing = listing();
        TestPartition partition = newPartition();
        List<SegmentRecord> records = new ArrayList<>();
        for (UUID id : List.of(new UUID(-1, 1), new UUID(1, -1), new UUID(1, 1), new UUID(0, 7))) {
            records.add(Segments.started(id, 100, 199, LeaderEpochs.of(3, 100)));
        }
        LongStream.range(0, 9).forEach(i -> records.add(Segments.finished(i * 50, i * 50 + 60)));
        LongStream.range(0, 5)
                .forEach(i -> records.add(
                        Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(i * 70, i * 70 + 9))));
        records.add(Segments.in(SegmentState.DELETE_SEGMENT_STARTED, Segments.started(75, 80)));
        records.add(Segments.finished(Long.MAX_VALUE - 9, Long.MAX_VALUE - 1));
        List<SegmentRecord> written = partition.put(records.toArray(new SegmentRecord[0]));
        List<SegmentRecord> live = written.stream()
                .filter(segment -> segment.state().live())
                .sorted(BY_POSITION)
                .toList();
        List<SegmentRecord> deleted =
                written.stream().filter(segment -> !segment.state().live()).toList();
        for (int limit : new int[] {1, 2, 3, live.size() - 1, live.size(), live.size() + 1, 1000}) {
            assertThat(segments(listing, partition.key(), Kept.LIVE, limit))
                    .as("pages of %s", limit)
                    .isEqualTo(live);
            assertThat(segments(listing, partition.key(), Kept.DELETED, limit))
                    .as("pages of %s", limit)
                    .containsExactlyInAnyOrderElementsOf(deleted);
        }
    }

    @Test
    @DisplayName("Every field of a segment comes back")
    void fields() {
        TestPartition partition = newPartition();
        byte[] bytes = new byte[256];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
        LeaderEpochs epochs = LeaderEpochs.of(new TreeMap<>(Map.of(1, 0L, 2, 0L, Integer.MAX_VALUE, 5L)));
        for (SegmentState state : SegmentState.values()) {
            partition.put(
                    Segments.with(
                            CustomMetadata.of(bytes),
                            Segments.in(state, Segments.started(UUID.randomUUID(), 0, 9, epochs))),
                    Segments.withoutTxnIndex(Segments.in(state, Segments.started(10, 19))));
        }
        List<SegmentRecord> written =
                partition.read(new Selection.ChangedSince(0)).segments();
        List<SegmentRecord> listed = new ArrayList<>();
        for (Kept kept : Kept.values()) {
            listed.addAll(segments(listing(), partition.key(), kept, 3));
        }
        assertThat(listed).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    @DisplayName("Another cluster's partitions and segments are never seen, however alike the ids are")
    void apart() {
        CatalogueListing listing = listing();
        String clusterId = "Aa-" + newClusterId();
        UUID topic = UUID.randomUUID();
        TestPartition ours = new TestPartition(store(), new PartitionKey(clusterId, topic, 0));
        ours.put(Segments.finished(0, 9));
        for (String alike :
                List.of(clusterId + " ", clusterId.toLowerCase(Locale.ROOT), clusterId + "/", "%", clusterId + "_")) {
            TestPartition theirs = new TestPartition(store(), new PartitionKey(alike, topic, 0));
            theirs.put(Segments.finished(20, 29));
        }
        assertThat(partitions(listing, clusterId, 10)).containsExactly(PartitionSummary.of(ours.key(), ours.head()));
        assertThat(segments(listing, ours.key(), Kept.LIVE, 10)).isEqualTo(ours.all());
    }

    @Test
    @DisplayName("A page is strongly consistent: it sees every commit that was acknowledged before")
    void strong() {
        CatalogueListing listing = listing();
        TestPartition partition = newPartition();
        for (int i = 0; i < 10; i++) {
            SegmentRecord started = partition.putOne(Segments.started(i, i));
            assertThat(segments(listing, partition.key(), Kept.LIVE, 100)).contains(started);
            SegmentRecord deleted = partition.putOne(Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, started));
            assertThat(segments(listing, partition.key(), Kept.LIVE, 100)).isEmpty();
            assertThat(segments(listing, partition.key(), Kept.DELETED, 100)).contains(deleted);
            assertThat(partitions(listing, partition.key().clusterId(), 10))
                    .containsExactly(PartitionSummary.of(partition.key(), partition.head()));
        }
    }

    @Test
    @DisplayName(
            "While others write, what stays is handed over exactly once, and what is deleted is in one of both lists")
    void writesMeanwhile() throws Exception {
        TestPartition partition = newPartition();
        List<SegmentRecord> stay = new ArrayList<>();
        List<SegmentRecord> go = new ArrayList<>();
        for (long i = 0; i < 40; i++) {
            stay.add(Segments.finished(i * 100, i * 100 + 99));
            go.add(Segments.finished(i * 100 + 50, i * 100 + 149));
        }
        List<SegmentRecord> staying = partition.put(stay.toArray(new SegmentRecord[0]));
        List<SegmentRecord> going = partition.put(go.toArray(new SegmentRecord[0]));
        AtomicBoolean written = new AtomicBoolean();
        TestPartition writer = partition.through(open());
        CatalogueListing listing = listing();
        Callable<Boolean> writing = () -> {
            try {
                for (int i = 0; i < going.size(); i++) {
                    writer.put(Segments.finished(i * 70L, i * 70L + 5));
                    writer.put(Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, going.get(going.size() - 1 - i)));
                }
                return true;
            } finally {
                written.set(true);
            }
        };
        Callable<Boolean> reading = () -> {
            boolean last;
            do {
                last = written.get();
                List<SegmentRecord> live = segments(listing, partition.key(), Kept.LIVE, 7);
                List<SegmentRecord> deleted = segments(listing, partition.key(), Kept.DELETED, 7);
                assertThat(live).isSortedAccordingTo(BY_POSITION).containsAll(staying);
                assertThat(live.stream().map(SegmentRecord::segmentId)).doesNotHaveDuplicates();
                Set<UUID> seen = new HashSet<>();
                live.forEach(segment -> seen.add(segment.segmentId()));
                deleted.forEach(segment -> seen.add(segment.segmentId()));
                assertThat(seen)
                        .containsAll(
                                going.stream().map(SegmentRecord::segmentId).toList());
            } while (!last);
            return true;
        };
        Together.run(List.of(writing, reading));
    }

    @Test
    @DisplayName(
            "A page is a bounded number of requests, and looks at no more than it was asked for, however much there is")
    void boundedPages() {
        CountingListener counted = new CountingListener();
        CatalogueListing listing = listing(counted);
        TestPartition partition = newPartition();
        List<SegmentRecord> many = new ArrayList<>();
        LongStream.range(0, CatalogueListing.MAX_PAGE + 100L)
                .forEach(i -> many.add(Segments.finished(i * 10, i * 10 + 9)));
        partition.put(many.toArray(new SegmentRecord[0]));
        String clusterId = partition.key().clusterId();
        for (int i = 0; i < 12; i++) {
            TestPartition.of(store(), clusterId).put(Segments.finished(0, 9));
        }
        listing.verify();
        CountingListener.Cost page = counted.costOf(() -> listing.segments(partition.key(), Kept.LIVE, null, 10));
        assertThat(page.requests()).isEqualTo(1);
        assertThat(page.rows()).isLessThanOrEqualTo(11);
        assertThat(counted.costOf(() -> listing.segments(partition.key(), Kept.DELETED, null, 10))
                        .requests())
                .isEqualTo(1);
        CountingListener.Cost partitions = counted.costOf(() -> listing.partitions(clusterId, null, 5));
        assertThat(partitions.requests()).isLessThanOrEqualTo(2);
        assertThat(partitions.rows()).isLessThanOrEqualTo(11);
        assertThat(listing.segments(partition.key(), Kept.LIVE, null, Integer.MAX_VALUE)
                        .items())
                .hasSizeLessThanOrEqualTo(CatalogueListing.MAX_PAGE);
        assertThat(segments(listing, partition.key(), Kept.LIVE, Integer.MAX_VALUE))
                .hasSize(many.size());
    }

    @Test
    @DisplayName("After close, which may be called twice, every call ends with Unavailable, never with an empty page")
    void closed() {
        CatalogueListing closed = listing();
        TestPartition partition = newPartition();
        closed.close();
        closed.close();
        assertThatThrownBy(closed::verify).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(closed::clusters).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> closed.partitions(partition.key().clusterId(), null, 1))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> closed.segments(partition.key(), Kept.LIVE, null, 1))
                .isInstanceOf(StoreException.Unavailable.class);
    }
}
