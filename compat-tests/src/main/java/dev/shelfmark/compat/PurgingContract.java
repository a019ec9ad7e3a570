package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * {@link CatalogueStore#purgeDeleted}. Where records expire by themselves, the tests hold the store to returning 0 and to
 * everything that must stay.
 */
@DisplayName("Purging: records of segments that have been DELETE_SEGMENT_FINISHED for longer than the retention")
public abstract class PurgingContract extends StoreContract {

    private static final SegmentState GONE = SegmentState.DELETE_SEGMENT_FINISHED;

    protected PurgingContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    /** What a purge of so many records that are due returns. */
    private int purged(int due) {
        return harness().recordsExpireByThemselves() ? 0 : due;
    }

    private CatalogueStore purger(Duration retention) {
        return open(new Retention(retention, LONG_RETENTION.history()), StoreListener.NONE);
    }

    private static SegmentRecord[] deleted(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Segments.in(GONE, Segments.started(i * 10L, i * 10L + 9)))
                .toArray(SegmentRecord[]::new);
    }

    @Test
    @DisplayName("What is due is removed and counted; versions, heads and live segments stay as they are")
    void removes() {
        TestPartition partition = newPartition();
        partition.put(deleted(3));
        partition.put(
                Segments.started(0, 9),
                Segments.finished(0, 9),
                Segments.in(SegmentState.DELETE_SEGMENT_STARTED, Segments.started(0, 9)));
        partition.commit(partition.next(Map.of(7, 70L)));
        Snapshot before = partition.read(new Selection.All());
        String cluster = partition.key().clusterId();
        assertThat(purger(Duration.ZERO).purgeDeleted(cluster, 100)).isEqualTo(purged(3));
        assertThat(partition.read(new Selection.All()).head()).isEqualTo(before.head());
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(before.segments());
        if (!harness().recordsExpireByThemselves()) {
            assertThat(partition.read(new Selection.ChangedSince(0)).segments())
                    .containsExactlyInAnyOrderElementsOf(before.segments());
        }
        assertThat(purger(Duration.ZERO).purgeDeleted(cluster, 100)).isZero();
    }

    @Test
    @DisplayName("What has not been deleted for longer than the retention stays")
    void keeps() {
        TestPartition partition = newPartition();
        partition.put(deleted(3));
        assertThat(purger(Duration.ofHours(1)).purgeDeleted(partition.key().clusterId(), 100))
                .isZero();
        assertThat(partition.read(new Selection.ChangedSince(0)).segments()).hasSize(3);
    }

    @Test
    @DisplayName("The retention counts from the deletion, by the store's clock, and not from the segment's own times")
    void countsFromTheDeletion() {
        TestPartition partition = newPartition();
        CatalogueStore purger = purger(Duration.ofMillis(700));
        String cluster = partition.key().clusterId();
        SegmentRecord first = partition.putOne(Segments.finished(0, 9));
        long deletedAt = System.nanoTime();
        partition.putOne(Segments.in(GONE, first));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(20))
                .until(() -> purger.purgeDeleted(cluster, 100) == purged(1));
        if (!harness().recordsExpireByThemselves()) {
            assertThat(Duration.ofNanos(System.nanoTime() - deletedAt)).isGreaterThan(Duration.ofMillis(650));
        }
    }

    @Test
    @DisplayName("No more than the limit are removed; less than the limit when no more are due")
    void limit() {
        TestPartition partition = newPartition();
        TestPartition sibling = new TestPartition(
                store(),
                new PartitionKey(partition.key().clusterId(), partition.key().topicId(), 1));
        partition.put(deleted(5));
        sibling.put(deleted(2));
        CatalogueStore purger = purger(Duration.ZERO);
        String cluster = partition.key().clusterId();
        assertThat(purger.purgeDeleted(cluster, 3)).isEqualTo(purged(3));
        assertThat(purger.purgeDeleted(cluster, 3)).isEqualTo(purged(3));
        assertThat(purger.purgeDeleted(cluster, 3)).isEqualTo(purged(1));
        assertThat(purger.purgeDeleted(cluster, 3)).isZero();
    }

    @Test
    @DisplayName("Only the named cluster's records are removed")
    void otherClusters() {
        TestPartition ours = newPartition();
        TestPartition theirs = newPartition();
        theirs.put(deleted(2));
        assertThat(purger(Duration.ZERO).purgeDeleted(ours.key().clusterId(), 100))
                .isZero();
        assertThat(theirs.read(new Selection.ChangedSince(0)).segments()).hasSize(2);
    }

    @Test
    @DisplayName("Safe to call from many brokers at once: they share the work, each record is counted once")
    void together() throws Exception {
        TestPartition partition = newPartition();
        partition.put(deleted(60));
        List<SegmentRecord> live = partition.put(Segments.finished(0, 9), Segments.started(10, 19));
        String cluster = partition.key().clusterId();
        List<Callable<Integer>> brokers = IntStream.range(0, 4)
                .<Callable<Integer>>mapToObj(i -> {
                    CatalogueStore purger = purger(Duration.ZERO);
                    return () -> {
                        int total = 0;
                        for (int round = 0; round < 15; round++) {
                            total += purger.purgeDeleted(cluster, 10);
                        }
                        return total;
                    };
                })
                .toList();
        assertThat(Together.run(brokers).stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(purged(60));
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(live);
    }

    @Test
    @DisplayName("A purge under way never makes a commit fail or get lost")
    void duringCommits() throws Exception {
        TestPartition partition = newPartition();
        CatalogueStore purger = purger(Duration.ZERO);
        String cluster = partition.key().clusterId();
        Callable<Integer> writer = () -> {
            for (int i = 0; i < 30; i++) {
                SegmentRecord segment = partition.putOne(Segments.finished(i, i));
                partition.putOne(Segments.in(i % 2 == 0 ? GONE : SegmentState.DELETE_SEGMENT_STARTED, segment));
            }
            return 0;
        };
        Callable<Integer> cleaner = () -> {
            int total = 0;
            for (int i = 0; i < 30; i++) {
                total += purger.purgeDeleted(cluster, 5);
            }
            return total;
        };
        int early = Together.run(List.of(writer, cleaner)).get(1);
        int late = purger.purgeDeleted(cluster, 100);
        assertThat(early + late).isEqualTo(purged(15));
        assertThat(partition.all()).hasSize(15);
        assertThat(partition.head().version()).isEqualTo(60);
        assertThat(partition.head().liveSegments()).isEqualTo(15);
    }
}
