package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link dev.shelfmark.store.CatalogueStore#read} and each {@link Selection}. */
@DisplayName("Reading: a partition's head and a selection of its segments, as they were together at one version")
public abstract class ReadingContract extends StoreContract {

    private static final Comparator<SegmentRecord> BY_POSITION = Comparator.comparingLong(SegmentRecord::startOffset)
            .thenComparing(segment -> segment.segmentId().getMostSignificantBits(), Long::compareUnsigned)
            .thenComparing(segment -> segment.segmentId().getLeastSignificantBits(), Long::compareUnsigned);

    protected ReadingContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    @Test
    @DisplayName("A partition of which nothing was ever written has PartitionHead.NEW and no segments")
    void newPartitionIsNew() {
        for (String clusterId : List.of(newCluster(), newClusterId())) {
            TestPartition partition = TestPartition.of(store(), clusterId);
            for (Selection selection : everySelection()) {
                assertThat(partition.read(selection)).isEqualTo(new Snapshot(PartitionHead.NEW, List.of()));
            }
        }
    }

    private static List<Selection> everySelection() {
        return List.of(
                new Selection.HeadOnly(),
                new Selection.All(),
                new Selection.ChangedSince(0),
                new Selection.ById(Set.of(UUID.randomUUID())),
                new Selection.Holding(0),
                new Selection.WithTxnIndex(0, 10, null));
    }

    @Test
    @DisplayName("HeadOnly: no segment, the head alone, with every epoch's highest offset")
    void headOnly() {
        TestPartition partition = newPartition();
        partition.commit(partition.next(Map.of(1, 9L), Segments.finished(0, 9)));
        partition.commit(partition.next(Map.of(2, 19L), Segments.finished(10, 19)));
        Snapshot snapshot = partition.read(new Selection.HeadOnly());
        assertThat(snapshot.segments()).isEmpty();
        assertThat(snapshot.head().highestOffsets()).isEqualTo(Map.of(1, 9L, 2, 19L));
        assertThat(partition.read(new Selection.All()).head()).isEqualTo(snapshot.head());
    }

    @Test
    @DisplayName("All: every live segment, and none that is DELETE_SEGMENT_FINISHED")
    void all() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(
                Segments.started(0, 9),
                Segments.finished(0, 9),
                Segments.in(SegmentState.DELETE_SEGMENT_STARTED, Segments.started(20, 29)),
                Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(30, 39)));
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(written.subList(0, 3));
    }

    @Test
    @DisplayName("ChangedSince: every segment changed after a version, the deleted ones included, and no other")
    void changedSince() {
        TestPartition partition = newPartition();
        Map<UUID, SegmentRecord> current = new LinkedHashMap<>();
        List<SegmentState> states = List.of(SegmentState.values());
        for (int i = 0; i < 12; i++) {
            long start = i * 10L;
            SegmentState state = states.get(i % states.size());
            for (SegmentRecord written : partition.put(
                    Segments.in(state, Segments.started(start, start + 9)), Segments.finished(start, start + 4))) {
                current.put(written.segmentId(), written);
            }
        }
        for (SegmentRecord old : List.copyOf(current.values()).subList(0, 5)) {
            SegmentRecord gone = partition.putOne(Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, old));
            current.put(gone.segmentId(), gone);
        }
        long version = partition.head().version();
        assertThat(version).isEqualTo(29);
        for (long since = 0; since <= version + 1; since++) {
            long known = since;
            Snapshot changes = partition.read(new Selection.ChangedSince(known));
            assertThat(changes.head().version()).isEqualTo(version);
            assertThat(changes.head().liveSegments()).isEqualTo(partition.all().size());
            assertThat(changes.segments())
                    .containsExactlyInAnyOrderElementsOf(current.values().stream()
                            .filter(segment -> segment.version() > known)
                            .toList());
        }
    }

    @Test
    @DisplayName(
            "ChangedSince: the head's highest offsets hold at least those raised after that version, and never another value")
    void changedSinceHighestOffsets() {
        TestPartition partition = newPartition();
        for (int epoch = 0; epoch < 6; epoch++) {
            partition.commit(partition.next(Map.of(epoch, epoch * 10L), Segments.finished(epoch, epoch)));
        }
        Map<Integer, Long> everything = partition.head().highestOffsets();
        assertThat(everything).hasSize(6);
        for (int since = 0; since <= 6; since++) {
            Map<Integer, Long> raised = new TreeMap<>(everything).tailMap(since);
            Map<Integer, Long> answer =
                    partition.read(new Selection.ChangedSince(since)).head().highestOffsets();
            assertThat(answer).containsAllEntriesOf(raised);
            assertThat(everything).containsAllEntriesOf(answer);
        }
    }

    @Test
    @DisplayName("ById: the segments of these ids, in whatever state; an id without a record is left out")
    void byId() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = new ArrayList<>();
        for (SegmentState state : SegmentState.values()) {
            written.add(partition.putOne(Segments.in(state, Segments.started(0, 9))));
        }
        partition.putOne(Segments.finished(10, 19));
        Set<UUID> ids = new HashSet<>(List.of(UUID.randomUUID(), UUID.randomUUID()));
        written.forEach(segment -> ids.add(segment.segmentId()));
        assertThat(partition.read(new Selection.ById(ids)).segments()).containsExactlyInAnyOrderElementsOf(written);
        assertThat(partition.read(new Selection.ById(Set.of())).segments()).isEmpty();
    }

    @Test
    @DisplayName("ById: as many ids as one commit can change")
    void byManyIds() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(IntStream.range(0, store().maxSegmentsPerCommit())
                .mapToObj(i -> Segments.started(i, i))
                .toArray(SegmentRecord[]::new));
        Set<UUID> ids = new HashSet<>();
        written.forEach(segment -> ids.add(segment.segmentId()));
        assertThat(partition.read(new Selection.ById(ids)).segments()).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    @DisplayName("Holding: the live segments whose offsets hold this one, whatever their length, epoch or place")
    void holding() {
        TestPartition partition = newPartition();
        List<SegmentRecord> live = new ArrayList<>(partition.put(
                Segments.finished(0, 0),
                Segments.finished(1, 40),
                Segments.started(1, 40),
                Segments.finished(10, 12),
                Segments.in(SegmentState.DELETE_SEGMENT_STARTED, Segments.started(12, 30)),
                Segments.finished(41, 41),
                Segments.finished(43, 50)));
        partition.put(
                Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(0, 60)),
                Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(42, 42)));
        // The span grows in the very commit whose segment needs it.
        live.add(partition.putOne(Segments.finished(5, 200)));
        for (long offset = 0; offset <= 202; offset++) {
            long sought = offset;
            assertThat(partition.read(new Selection.Holding(offset)).segments())
                    .as("holding " + offset)
                    .containsExactlyInAnyOrderElementsOf(live.stream()
                            .filter(segment -> segment.holds(sought))
                            .toList());
        }
        assertThat(partition.read(new Selection.Holding(Long.MAX_VALUE)).segments())
                .isEmpty();
    }

    @Test
    @DisplayName("WithTxnIndex: ascending by start offset and then by id as an unsigned number, page by page")
    void withTxnIndex() {
        TestPartition partition = newPartition();
        List<SegmentRecord> changes = new ArrayList<>();
        for (long high : List.of(0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE, -1L)) {
            for (long low : List.of(1L, Long.MIN_VALUE, -1L)) {
                changes.add(Segments.started(new UUID(high, low), 10, 19, LeaderEpochs.of(1, 10)));
            }
        }
        LongStream.range(0, 8).forEach(i -> changes.add(Segments.finished(i, 30 - i)));
        changes.add(Segments.withoutTxnIndex(Segments.finished(3, 30)));
        changes.add(Segments.in(SegmentState.DELETE_SEGMENT_STARTED, Segments.started(25, 26)));
        changes.add(Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, Segments.started(26, 27)));
        List<SegmentRecord> written = partition.put(changes.toArray(new SegmentRecord[0]));
        for (long offset : new long[] {0, 18, 19, 20, 23, 26, 27, 30, 31}) {
            List<SegmentRecord> expected = written.stream()
                    .filter(segment -> segment.state().live() && !segment.txnIndexEmpty())
                    .filter(segment -> segment.endOffset() >= offset)
                    .sorted(BY_POSITION)
                    .toList();
            for (int limit : new int[] {1, 2, 7, 100}) {
                assertThat(pages(partition, offset, limit))
                        .as("from " + offset + ", " + limit + " at a time")
                        .isEqualTo(expected);
            }
        }
    }

    private static List<SegmentRecord> pages(TestPartition partition, long offset, int limit) {
        List<SegmentRecord> all = new ArrayList<>();
        Selection.@Nullable Position after = null;
        while (true) {
            List<SegmentRecord> page = partition
                    .read(new Selection.WithTxnIndex(offset, limit, after))
                    .segments();
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page);
            if (page.size() < limit) {
                return all;
            }
            SegmentRecord last = page.get(page.size() - 1);
            after = new Selection.Position(last.startOffset(), last.segmentId());
        }
    }

    @Test
    @DisplayName("Strongly consistent: sees every commit that was acknowledged before the call, by whatever process")
    void strong() {
        TestPartition writer = newPartition();
        TestPartition reader = writer.through(open());
        for (int i = 0; i < 25; i++) {
            SegmentRecord written = writer.putOne(Segments.finished(i, i));
            assertThat(reader.read(new Selection.HeadOnly()).head()).isEqualTo(writer.head());
            assertThat(reader.read(new Selection.ChangedSince(i)).segments()).containsExactly(written);
            assertThat(reader.read(new Selection.Holding(i)).segments()).containsExactly(written);
            assertThat(reader.read(new Selection.WithTxnIndex(i, 5, null)).segments())
                    .containsExactly(written);
            assertThat(reader.read(new Selection.ById(Set.of(written.segmentId())))
                            .segments())
                    .containsExactly(written);
            assertThat(reader.all()).hasSize(i + 1).contains(written);
            TestPartition turn = writer;
            writer = reader;
            reader = turn;
        }
    }

    @Test
    @DisplayName("Segments are handed over on the calling thread")
    void callingThread() {
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9), Segments.finished(10, 19));
        Set<Thread> threads = new HashSet<>();
        store().read(partition.key(), new Selection.All(), segment -> threads.add(Thread.currentThread()));
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    @DisplayName(
            "Handed over one at a time: a taker that stops at the first one ends the call, and costs the store nothing")
    void takerFails() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(Segments.finished(0, 9), Segments.finished(10, 19));
        for (int i = 0; i < 40; i++) {
            List<SegmentRecord> taken = new ArrayList<>();
            assertThatThrownBy(() -> store().read(partition.key(), new Selection.All(), segment -> {
                        taken.add(segment);
                        throw new IllegalStateException("enough");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("enough");
            assertThat(taken).hasSize(1);
        }
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    @DisplayName("A large partition is read whole, each segment once in the end")
    void large() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(LongStream.range(0, 1_500)
                .mapToObj(i -> Segments.finished(i * 10, i * 10 + 9))
                .toArray(SegmentRecord[]::new));
        Snapshot all = partition.through(open()).read(new Selection.All());
        assertThat(all.head().liveSegments()).isEqualTo(1_500);
        assertThat(Set.copyOf(all.segments())).isEqualTo(Set.copyOf(written));
        assertThat(partition.read(new Selection.ChangedSince(0)).segments()).hasSize(1_500);
        assertThat(pages(partition, 0, 1_000)).isEqualTo(written);
    }

    @Test
    @DisplayName("A partition is named by its cluster, its topic id and its number, all three of them")
    void partitionsAreApart() {
        String cluster = newCluster();
        UUID topic = UUID.randomUUID();
        UUID segmentId = UUID.randomUUID();
        List<TestPartition> partitions = List.of(
                new TestPartition(store(), new PartitionKey(cluster, topic, 0)),
                new TestPartition(store(), new PartitionKey(cluster, topic, 1)),
                new TestPartition(store(), new PartitionKey(cluster, UUID.randomUUID(), 0)),
                new TestPartition(store(), new PartitionKey(newCluster(), topic, 0)));
        Map<TestPartition, SegmentRecord> written = new LinkedHashMap<>();
        for (TestPartition partition : partitions) {
            long start = written.size() * 10L;
            assertThat(partition.read(new Selection.All())).isEqualTo(new Snapshot(PartitionHead.NEW, List.of()));
            written.put(
                    partition,
                    partition.putOne(Segments.started(segmentId, start, start + 9, LeaderEpochs.of(1, start))));
        }
        written.forEach((partition, segment) -> {
            assertThat(partition.all()).containsExactly(segment);
            assertThat(partition.head().version()).isEqualTo(1);
        });
    }
}
