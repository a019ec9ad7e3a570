package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deleted segments leave after their time, and nothing else does. */
final class PurgeTest {

    private final TestDatabase database = TestServer.shared().database();
    private final CatalogueStore store = database.store(Duration.ofDays(7), StoreListener.NONE);
    private final PartitionKey key = Fixtures.partition();

    @AfterEach
    void close() {
        store.close();
    }

    private List<SegmentRecord> put(PartitionKey partition, SegmentState state, int count) {
        PartitionHead head = store.read(partition, new Selection.HeadOnly(), unused -> {});
        List<SegmentRecord> segments = LongStream.rangeClosed(1, count)
                .mapToObj(i -> Fixtures.segment(100 * i, state, head.version() + i))
                .toList();
        store.commit(
                partition,
                new PartitionCommit(
                        head.version(), Fixtures.head(head.version() + count, Map.of(3, 1L)), segments, List.of()));
        return segments;
    }

    /** Moves all deletions into the past, by the database's clock. */
    private void age(String interval) {
        database.execute("update shelfmark.segment set deleted_at = now() - interval '" + interval
                + "' where deleted_at is not null");
    }

    private List<SegmentRecord> all(PartitionKey partition) {
        return Fixtures.read(store, partition, new Selection.ChangedSince(0));
    }

    @Test
    void afterTheirTimeOnly() {
        List<SegmentRecord> live = put(key, SegmentState.DELETE_SEGMENT_STARTED, 2);
        List<SegmentRecord> deleted = put(key, SegmentState.DELETE_SEGMENT_FINISHED, 3);
        PartitionHead head = store.read(key, new Selection.HeadOnly(), unused -> {});

        assertThat(store.purgeDeleted(key.clusterId(), 10)).isZero();
        age("6 days 23 hours");
        assertThat(store.purgeDeleted(key.clusterId(), 10)).isZero();
        assertThat(all(key)).hasSize(live.size() + deleted.size());
        age("7 days 1 hour");
        assertThat(store.purgeDeleted(key.clusterId(), 2)).isEqualTo(2);
        assertThat(store.purgeDeleted(key.clusterId(), 2)).isEqualTo(1);
        assertThat(store.purgeDeleted(key.clusterId(), 2)).isZero();

        assertThat(all(key)).containsExactlyInAnyOrderElementsOf(live);
        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {})).isEqualTo(head);
    }

    @Test
    void theTimeCountsFromTheFirstDeletion() {
        SegmentRecord deleted =
                put(key, SegmentState.DELETE_SEGMENT_FINISHED, 1).get(0);
        age("8 days");
        Fixtures.commit(store, key, 1, Fixtures.with(deleted, SegmentState.DELETE_SEGMENT_FINISHED, 2));
        assertThat(store.purgeDeleted(key.clusterId(), 10)).isEqualTo(1);
    }

    @Test
    void whatLivesAgainStays() {
        SegmentRecord deleted =
                put(key, SegmentState.DELETE_SEGMENT_FINISHED, 1).get(0);
        age("8 days");
        Fixtures.commit(store, key, 1, Fixtures.with(deleted, SegmentState.COPY_SEGMENT_STARTED, 2));
        assertThat(store.purgeDeleted(key.clusterId(), 10)).isZero();
        assertThat(Fixtures.read(store, key, new Selection.All())).hasSize(1);
    }

    @Test
    void ofOneClusterOnly() {
        PartitionKey theirs = new PartitionKey("cluster-b", UUID.randomUUID(), 0);
        put(key, SegmentState.DELETE_SEGMENT_FINISHED, 2);
        put(theirs, SegmentState.DELETE_SEGMENT_FINISHED, 3);
        age("8 days");
        assertThat(store.purgeDeleted(theirs.clusterId(), 10)).isEqualTo(3);
        assertThat(all(key)).hasSize(2);
        assertThat(store.purgeDeleted("cluster", 10)).isZero();
    }

    @Test
    void aRowThatSomeoneElseHoldsIsPassedOver() throws SQLException {
        put(key, SegmentState.DELETE_SEGMENT_FINISHED, 3);
        age("8 days");
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from shelfmark.segment limit 1 for update");
            assertThat(store.purgeDeleted(key.clusterId(), 10)).isEqualTo(2);
            other.rollback();
        }
        assertThat(store.purgeDeleted(key.clusterId(), 10)).isEqualTo(1);
    }

    @Test
    void manyAtOnceShareTheWork() {
        put(key, SegmentState.DELETE_SEGMENT_FINISHED, 400);
        age("8 days");
        int purged = IntStream.range(0, 8)
                .parallel()
                .map(i -> store.purgeDeleted(key.clusterId(), 100))
                .sum();
        assertThat(purged + all(key).size()).isEqualTo(400);
        assertThat(purged).isGreaterThanOrEqualTo(100);
    }

    @Test
    void keptForEverIsKept() {
        put(key, SegmentState.DELETE_SEGMENT_FINISHED, 1);
        age("100 years");
        try (CatalogueStore patient = database.store(Duration.ofSeconds(Long.MAX_VALUE), StoreListener.NONE)) {
            assertThat(patient.purgeDeleted(key.clusterId(), 10)).isZero();
        }
    }
}
