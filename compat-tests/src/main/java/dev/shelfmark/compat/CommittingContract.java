package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link CatalogueStore#commit}. */
@DisplayName("Committing: a change applies if the partition is at the expected version, all of it or nothing")
public abstract class CommittingContract extends StoreContract {

    private static final CommitResult COMMITTED = new CommitResult.Committed();
    private static final CommitResult CONFLICT = new CommitResult.VersionConflict();

    protected CommittingContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    @Test
    @DisplayName("The head, the raised highest offsets and every segment record are there together")
    void allOfIt() {
        TestPartition partition = newPartition();
        PartitionCommit commit =
                partition.next(Map.of(1, 9L, 2, 19L), Segments.finished(0, 9), Segments.started(10, 19));
        assertThat(partition.commit(commit)).isEqualTo(COMMITTED);
        Snapshot read = partition.through(open()).read(new Selection.All());
        assertThat(read.head()).isEqualTo(commit.head());
        assertThat(read.segments()).containsExactlyInAnyOrderElementsOf(commit.segments());
    }

    @Test
    @DisplayName(
            "A partition that is not at the expected version keeps everything as it is: older, newer, never written")
    void nothingOfIt() {
        TestPartition partition = newPartition();
        assertThat(partition.commit(moved(partition.next(Map.of(1, 5L), Segments.finished(0, 9)), 1)))
                .isEqualTo(CONFLICT);
        assertThat(partition.head()).isEqualTo(PartitionHead.NEW);
        SegmentRecord kept = partition.putOne(Segments.finished(0, 9));
        partition.putOne(Segments.finished(10, 19));
        Snapshot before = partition.read(new Selection.ChangedSince(0));
        PartitionCommit next = partition.next(
                Map.of(3, 500L), Segments.in(SegmentState.DELETE_SEGMENT_STARTED, kept), Segments.finished(20, 29));
        for (long expected : new long[] {0, 1, 3, 4}) {
            assertThat(partition.commit(moved(next, expected))).isEqualTo(CONFLICT);
            assertThat(partition.read(new Selection.ChangedSince(0))).isEqualTo(before);
        }
        assertThat(partition.commit(next)).isEqualTo(COMMITTED);
    }

    /** The same change, but decided on another version. */
    private static PartitionCommit moved(PartitionCommit commit, long expectedVersion) {
        PartitionHead head = commit.head();
        return new PartitionCommit(
                expectedVersion,
                new PartitionHead(
                        Math.max(head.version(), expectedVersion + 1),
                        head.topicName(),
                        head.liveSegments(),
                        head.maxOffsetSpan(),
                        head.deletion(),
                        head.highestOffsets()),
                commit.segments(),
                List.of());
    }

    @Test
    @DisplayName("A repeat of a commit that was applied is a conflict, so a repeat never applies twice")
    void repeat() {
        TestPartition partition = newPartition();
        for (int i = 0; i < 3; i++) {
            PartitionCommit commit = partition.next(Map.of(i, 9L), Segments.finished(i, i));
            assertThat(partition.commit(commit)).isEqualTo(COMMITTED);
            Snapshot after = partition.read(new Selection.All());
            assertThat(partition.commit(commit)).isEqualTo(CONFLICT);
            assertThat(partition.through(open()).commit(commit)).isEqualTo(CONFLICT);
            assertThat(partition.read(new Selection.All())).isEqualTo(after);
        }
    }

    @Test
    @DisplayName(
            "Of several commits with one expected version at most one is applied, whichever processes they come from")
    void oneOfMany() throws Exception {
        List<CatalogueStore> processes = List.of(open(), open());
        for (int round = 0; round < 6; round++) {
            TestPartition partition = newPartition();
            // The first round is the race to create the partition.
            for (int step = 0; step < 3; step++) {
                List<PartitionCommit> rivals = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    rivals.add(partition.next(Map.of(step, (long) i), Segments.finished(step, step + i)));
                }
                List<CommitResult> results = Together.run(IntStream.range(0, rivals.size())
                        .<Callable<CommitResult>>mapToObj(i ->
                                () -> partition.through(processes.get(i % 2)).commit(rivals.get(i)))
                        .toList());
                assertThat(results).containsOnlyOnce(COMMITTED).containsOnly(COMMITTED, CONFLICT);
                PartitionCommit winner = rivals.get(results.indexOf(COMMITTED));
                Snapshot read = partition.read(new Selection.ChangedSince(step));
                assertThat(read.segments()).isEqualTo(winner.segments());
                assertThat(read.head().version()).isEqualTo(step + 1);
                assertThat(read.head().highestOffsets())
                        .containsEntry(step, winner.head().highestOffsets().get(step));
            }
        }
    }

    @Test
    @DisplayName(
            "A segment that is taken for new and has a record, if only of its deletion, is a conflict, and nothing is applied")
    void notNew() {
        TestPartition partition = newPartition();
        List<SegmentRecord> live = partition.put(Segments.finished(0, 9), Segments.finished(10, 19));
        partition.put(Segments.in(SegmentState.DELETE_SEGMENT_FINISHED, live.get(1)));
        Snapshot before = partition.read(new Selection.ChangedSince(0));
        for (SegmentRecord known : live) {
            PartitionCommit alone = partition.next(Map.of(1, 99L), known);
            assertThat(partition.commit(takenForNew(alone, known))).isEqualTo(CONFLICT);
            PartitionCommit many = partition.next(Map.of(1, 99L), Segments.finished(20, 29), known);
            assertThat(partition.commit(takenForNew(many, many.segments().get(0), known)))
                    .isEqualTo(CONFLICT);
            assertThat(partition.read(new Selection.ChangedSince(0))).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("A segment that is new is put, whatever another partition has under its id")
    void reallyNew() {
        SegmentRecord first = Segments.finished(0, 9);
        SegmentRecord second = Segments.finished(10, 19);
        for (TestPartition partition : List.of(newPartition(), newPartition())) {
            for (SegmentRecord segment : List.of(first, second)) {
                PartitionCommit commit = partition.next(Map.of(1, segment.endOffset()), segment);
                assertThat(partition.commit(takenForNew(commit, segment))).isEqualTo(COMMITTED);
            }
            PartitionCommit many = partition.next(many(3));
            assertThat(partition.commit(takenForNew(many, many.segments().toArray(SegmentRecord[]::new))))
                    .isEqualTo(COMMITTED);
            assertThat(partition.all()).hasSize(5);
        }
    }

    private static PartitionCommit takenForNew(PartitionCommit commit, SegmentRecord... segments) {
        List<StateChange> changes = new ArrayList<>();
        for (SegmentRecord segment : segments) {
            changes.add(new StateChange.OfSegment(
                    commit.expectedVersion() + 1 + changes.size(), segment.segmentId(), null, segment.state(), 1, 1));
        }
        return new PartitionCommit(commit.expectedVersion(), commit.head(), commit.segments(), changes);
    }

    @Test
    @DisplayName("maxSegmentsPerCommit is at least 1, the same for the store's life, and that many are applied at once")
    void mostSegments() {
        CatalogueStore store = open();
        int most = store.maxSegmentsPerCommit();
        assertThat(most).isPositive();
        TestPartition partition = newPartition().through(store);
        PartitionCommit commit = partition.next(many(most));
        assertThat(partition.commit(commit)).isEqualTo(COMMITTED);
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(commit.segments());
        assertThat(partition.head().version()).isEqualTo(most);
        assertThat(store.maxSegmentsPerCommit()).isEqualTo(most);
    }

    @Test
    @DisplayName("More segments than that are refused as Unsupported, and nothing is applied")
    void tooManySegments() {
        TestPartition partition = newPartition();
        PartitionCommit commit = partition.next(many(store().maxSegmentsPerCommit() + 1));
        assertThatThrownBy(() -> partition.commit(commit)).isInstanceOf(StoreException.Unsupported.class);
        assertThat(partition.read(new Selection.All())).isEqualTo(new Snapshot(PartitionHead.NEW, List.of()));
    }

    private static SegmentRecord[] many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Segments.finished(i * 10L, i * 10L + 9))
                .toArray(SegmentRecord[]::new);
    }

    @Test
    @DisplayName("Highest offsets hold only the epochs that changed: those of the others stay")
    void highestOffsetsStay() {
        TestPartition partition = newPartition();
        partition.commit(partition.next(Map.of(1, 10L, 2, 20L, 3, -1L), Segments.finished(0, 9)));
        partition.commit(partition.next(Map.of(2, 25L), Segments.finished(10, 19)));
        partition.commit(partition.next(Map.of(4, 40L)));
        assertThat(partition.head().highestOffsets()).isEqualTo(Map.of(1, 10L, 2, 25L, 3, -1L, 4, 40L));
    }

    @Test
    @DisplayName("They survive the deletion of every segment")
    void highestOffsetsOutliveSegments() {
        TestPartition partition = newPartition();
        PartitionCommit commit = partition.next(Map.of(1, 9L), Segments.finished(0, 9));
        partition.commit(commit);
        partition.put(Segments.in(
                SegmentState.DELETE_SEGMENT_FINISHED, commit.segments().get(0)));
        assertThat(partition.all()).isEmpty();
        assertThat(partition.head().highestOffsets()).isEqualTo(Map.of(1, 9L));
    }

    @Test
    @DisplayName("A change of the head alone is a change like any other")
    void headAlone() {
        TestPartition partition = newPartition();
        List<SegmentRecord> written = partition.put(Segments.finished(0, 9));
        for (PartitionDeletion deletion : PartitionDeletion.values()) {
            PartitionHead head = partition.head();
            PartitionHead next = new PartitionHead(
                    head.version() + 1, "t", head.liveSegments(), head.maxOffsetSpan(), deletion, new TreeMap<>());
            assertThat(partition.commit(new PartitionCommit(head.version(), next, List.of(), List.of())))
                    .isEqualTo(COMMITTED);
            assertThat(partition.head()).isEqualTo(next);
            assertThat(partition.all()).isEqualTo(written);
            assertThat(partition
                            .read(new Selection.ChangedSince(head.version()))
                            .segments())
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("Versions may rise by any number: a store counts nothing itself")
    void versionsAreTheCallers() {
        TestPartition partition = newPartition();
        PartitionHead far = new PartitionHead(7_000_000_000L, "t", 1, 9, PartitionDeletion.NONE, new TreeMap<>());
        SegmentRecord segment = Segments.at(6_999_999_999L, Segments.finished(0, 9));
        assertThat(partition.commit(new PartitionCommit(0, far, List.of(segment), List.of())))
                .isEqualTo(COMMITTED);
        assertThat(partition.read(new Selection.ChangedSince(6_999_999_998L)).segments())
                .containsExactly(segment);
        assertThat(partition.read(new Selection.ChangedSince(6_999_999_999L)).segments())
                .isEmpty();
        assertThat(partition.head()).isEqualTo(far);
    }
}
