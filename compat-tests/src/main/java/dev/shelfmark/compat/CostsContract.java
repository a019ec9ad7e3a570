package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What calls cost, as the store tells its {@link dev.shelfmark.store.StoreListener}. */
@DisplayName("Costs: what must not cost more when there is more")
public abstract class CostsContract extends StoreContract {

    private static final int FEW = 10;
    private static final int MANY = 600;
    /** Rows that a page or a boundary may add. */
    private static final long SLACK = 4;

    protected CostsContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private static void fill(TestPartition partition, int segments) {
        List<SegmentRecord> all = new ArrayList<>();
        LongStream.range(0, segments).forEach(i -> all.add(Segments.finished(i * 10, i * 10 + 9)));
        partition.put(all.toArray(new SegmentRecord[0]));
    }

    @Test
    @DisplayName("verify changes nothing, and costs the same however many segments there are")
    void verifyCost() {
        CountingListener counted = new CountingListener();
        CatalogueStore store = open(LONG_RETENTION, counted);
        TestPartition partition = newPartition();
        store.verify();
        CountingListener.Cost before = counted.costOf(store::verify);
        fill(partition, MANY);
        Snapshot untouched = partition.read(new Selection.All());
        assertThat(counted.costOf(store::verify)).isEqualTo(before);
        assertThat(partition.read(new Selection.All())).isEqualTo(untouched);
    }

    @Test
    @DisplayName("Holding and WithTxnIndex must not cost more when the partition is large")
    void boundedReads() {
        CountingListener counted = new CountingListener();
        CatalogueStore store = open(LONG_RETENTION, counted);
        TestPartition small = newPartition().through(store);
        TestPartition large = newPartition().through(store);
        fill(small, FEW);
        fill(large, MANY);
        for (long offset : new long[] {5, 55, MANY * 10L + 1}) {
            for (Selection selection :
                    List.of(new Selection.Holding(offset), new Selection.WithTxnIndex(offset, 2, null))) {
                CountingListener.Cost few = counted.costOf(() -> small.read(selection));
                CountingListener.Cost many = counted.costOf(() -> large.read(selection));
                assertThat(many.requests()).as("requests of %s", selection).isLessThanOrEqualTo(few.requests());
                assertThat(many.rows()).as("rows of %s", selection).isLessThanOrEqualTo(few.rows() + SLACK);
            }
        }
    }

    @Test
    @DisplayName("What changed since the last version costs what changed, not what there is")
    void followingChanges() {
        CountingListener counted = new CountingListener();
        TestPartition large = newPartition().through(open(LONG_RETENTION, counted));
        fill(large, MANY);
        long version = large.head().version();
        CountingListener.Cost nothing = counted.costOf(() -> large.read(new Selection.ChangedSince(version)));
        assertThat(nothing.rows()).isLessThanOrEqualTo(SLACK);
        SegmentRecord change = large.putOne(Segments.in(SegmentState.COPY_SEGMENT_STARTED, Segments.started(0, 9)));
        CountingListener.Cost one = counted.costOf(
                () -> assertThat(large.read(new Selection.ChangedSince(version)).segments())
                        .containsExactly(change));
        assertThat(one.rows()).isLessThanOrEqualTo(1 + SLACK);
        // A store may look at the head first, and at the changes only if there are any.
        assertThat(one.requests()).isLessThanOrEqualTo(nothing.requests() + 1);
    }

    @Test
    @DisplayName("The listener hears of each request, under names from a small fixed set")
    void listenerHears() {
        CountingListener counted = new CountingListener();
        CatalogueStore store = open(LONG_RETENTION, counted);
        TestPartition partition = newPartition().through(store);
        assertThat(counted.costOf(() -> store.cluster("none")).requests()).isPositive();
        assertThat(counted.costOf(() -> partition.put(Segments.finished(0, 9))).requests())
                .isPositive();
        assertThat(counted.costOf(() -> store.purgeDeleted(partition.key().clusterId(), 1))
                        .requests())
                .isLessThanOrEqualTo(2);
        for (int i = 0; i < 20; i++) {
            TestPartition another = newPartition().through(store);
            another.put(Segments.finished(i, i));
            another.all();
        }
        assertThat(counted.operations())
                .hasSizeLessThan(20)
                .allSatisfy(name -> assertThat(name).matches("[a-z][a-z.-]*"));
    }
}
