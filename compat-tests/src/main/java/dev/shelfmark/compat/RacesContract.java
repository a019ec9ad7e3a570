package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many threads and several stores on one partition. */
@DisplayName("Races: every method may be called by many threads at once")
public abstract class RacesContract extends StoreContract {

    private static final int WRITERS = 4;
    private static final int CHANGES = 20;

    protected RacesContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    /** Commits the change that is decided on what is there, again and again until it is applied. */
    private static void insist(TestPartition partition, SegmentRecord... changes) {
        for (int attempt = 0; attempt < 2_000; attempt++) {
            PartitionCommit commit = partition.next(changes);
            if (partition.commit(commit).equals(new CommitResult.Committed())) {
                return;
            }
        }
        throw new AssertionError("no commit in 2000 attempts");
    }

    @Test
    @DisplayName("Writers that read, decide and commit on one partition lose no change and repeat none")
    void writersOnOnePartition() throws Exception {
        TestPartition partition = newPartition();
        List<CatalogueStore> processes = List.of(open(), open());
        List<Callable<List<UUID>>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            TestPartition mine = partition.through(processes.get(i % 2));
            writers.add(() -> {
                List<UUID> ids = new ArrayList<>();
                for (int change = 0; change < CHANGES; change++) {
                    SegmentRecord segment = Segments.finished(change, change);
                    insist(mine, segment);
                    ids.add(segment.segmentId());
                }
                return ids;
            });
        }
        List<UUID> expected =
                Together.run(writers).stream().flatMap(List::stream).toList();
        Snapshot end = partition.read(new Selection.All());
        assertThat(end.head().version()).isEqualTo((long) WRITERS * CHANGES);
        assertThat(end.segments().stream().map(SegmentRecord::segmentId)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(end.segments().stream().map(SegmentRecord::version)).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("Writers on one segment: each change is made on the one before it")
    void writersOnOneSegment() throws Exception {
        TestPartition partition = newPartition();
        SegmentRecord segment = partition.putOne(Segments.started(0, 9));
        List<CatalogueStore> processes = List.of(open(), open());
        AtomicInteger next = new AtomicInteger();
        Together.run(WRITERS, () -> {
            TestPartition mine = partition.through(processes.get(next.getAndIncrement() % 2));
            for (int change = 0; change < CHANGES; change++) {
                insist(mine, segment);
            }
            return 0;
        });
        Snapshot end = partition.read(new Selection.All());
        assertThat(end.head().version()).isEqualTo(1L + WRITERS * CHANGES);
        assertThat(end.segments()).hasSize(1);
        assertThat(end.segments().get(0).version()).isEqualTo(end.head().version());
    }

    @Test
    @DisplayName("Writers on different partitions don't disturb each other")
    void writersOnDifferentPartitions() throws Exception {
        String cluster = newCluster();
        List<TestPartition> partitions = Together.run(WRITERS, () -> {
            TestPartition mine = TestPartition.of(store(), cluster);
            for (int change = 0; change < CHANGES; change++) {
                mine.put(Segments.finished(change, change));
            }
            return mine;
        });
        for (TestPartition partition : partitions) {
            assertThat(partition.all()).hasSize(CHANGES);
            assertThat(partition.head().version()).isEqualTo(CHANGES);
        }
    }

    @Test
    @DisplayName("Readers always see a head and segments that were together at one version, while writers write")
    void readersDuringWrites() throws Exception {
        TestPartition partition = newPartition();
        TestPartition elsewhere = partition.through(open());
        partition.put(bulk(80));
        AtomicInteger writing = new AtomicInteger(2);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            TestPartition mine = writer == 0 ? partition : elsewhere;
            tasks.add(() -> {
                try {
                    for (int i = 0; i < CHANGES; i++) {
                        SegmentRecord segment = Segments.finished(i, i + 5);
                        insist(mine, segment, Segments.started(i, i));
                        insist(mine, Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, segment));
                    }
                } finally {
                    writing.decrementAndGet();
                }
                return 0;
            });
        }
        for (int reader = 0; reader < 3; reader++) {
            TestPartition mine = reader == 0 ? elsewhere : partition;
            tasks.add(() -> {
                int reads = 0;
                for (; writing.get() > 0 || reads == 0; reads++) {
                    assertTogether(mine);
                }
                return reads;
            });
        }
        Together.run(tasks);
        assertThat(partition.head().version()).isEqualTo(80L + 2 * 3 * CHANGES);
    }

    private static SegmentRecord[] bulk(int count) {
        SegmentRecord[] segments = new SegmentRecord[count];
        for (int i = 0; i < count; i++) {
            segments[i] = Segments.finished(i * 10L, i * 10L + 9);
        }
        return segments;
    }

    private static void assertTogether(TestPartition partition) {
        Snapshot all = partition.read(new Selection.All());
        assertThat((long) all.segments().size()).isEqualTo(all.head().liveSegments());
        assertThat(all.segments())
                .allSatisfy(segment -> assertThat(segment.version())
                        .isLessThanOrEqualTo(all.head().version()));
        long since = all.head().version();
        Snapshot changes = partition.read(new Selection.ChangedSince(since));
        long passed = changes.head().version() - since;
        // Each change has its own version and each segment changes at most twice: what is missing or too much would
        // show.
        assertThat(changes.segments()).hasSizeBetween((int) (passed + 1) / 2, (int) passed);
        assertThat(changes.segments())
                .allSatisfy(segment -> assertThat(segment.version())
                        .isBetween(since + 1, changes.head().version()));
        assertLiveCountAdvances(all, changes);
    }

    /** Applying the changes to what was there gives as many live segments as the later head says. */
    private static void assertLiveCountAdvances(Snapshot all, Snapshot changes) {
        List<UUID> live = new ArrayList<>(
                all.segments().stream().map(SegmentRecord::segmentId).toList());
        for (SegmentRecord change : changes.segments()) {
            live.remove(change.segmentId());
            if (change.state().live()) {
                live.add(change.segmentId());
            }
        }
        assertThat((long) live.size()).isEqualTo(changes.head().liveSegments());
    }

    @Test
    @DisplayName("More calls at once than a store has connections all end well")
    void manyCalls() throws Exception {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(bulk(20));
        Together.run(40, () -> {
            for (int i = 0; i < 5; i++) {
                assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(written);
                assertThat(store().cluster(partition.key().clusterId())).isPresent();
                store().verify();
            }
            return 0;
        });
    }
}
