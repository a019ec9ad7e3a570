package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table of segments by hash of the partition, as docs/performance.md has it for very many: a row's place is then one in each part. */
final class SegmentsInPartsTest {

    private final TestDatabase database = TestServer.shared().database();
    private final CatalogueStore store = database.store();

    private final List<Began> began = new ArrayList<>();

    /** A partition of two segments. */
    private record Began(PartitionKey key, List<SegmentRecord> segments) {

        PartitionCommit deleted() {
            List<SegmentRecord> ended = segments.stream()
                    .map(segment -> Fixtures.with(segment, SegmentState.DELETE_SEGMENT_FINISHED, segment.version() + 2))
                    .toList();
            List<StateChange> changes = ended.stream()
                    .<StateChange>map(segment -> new StateChange.OfSegment(
                            segment.version(),
                            segment.segmentId(),
                            SegmentState.DELETE_SEGMENT_STARTED,
                            segment.state(),
                            segment.brokerId(),
                            segment.eventTimestampMs()))
                    .toList();
            return new PartitionCommit(2, Fixtures.head(4), ended, changes);
        }
    }

    @BeforeEach
    void fill() {
        database.execute("""
                set role owner;
                alter table shelfmark.segment rename to segment_whole;
                create table shelfmark.segment (like shelfmark.segment_whole including constraints including indexes)
                  partition by hash (partition_id);
                create table shelfmark.segment_0 partition of shelfmark.segment for values with (modulus 2, remainder 0);
                create table shelfmark.segment_1 partition of shelfmark.segment for values with (modulus 2, remainder 1);
                """);
        database.migrate();
        for (int i = 0; i < 20; i++) {
            PartitionKey key = Fixtures.partition();
            List<SegmentRecord> segments = List.of(
                    Fixtures.segment(0, SegmentState.DELETE_SEGMENT_STARTED, 1),
                    Fixtures.segment(100, SegmentState.DELETE_SEGMENT_STARTED, 2));
            store.commit(key, new PartitionCommit(0, Fixtures.head(2), segments, List.of()));
            began.add(new Began(key, segments));
        }
        assertThat(database.query("select distinct tableoid from shelfmark.segment"))
                .hasSize(2);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void assertTheOthersAreUntouched() {
        assertThat(began.stream().skip(1))
                .allSatisfy(other -> assertThat(Fixtures.read(store, other.key(), new Selection.All()))
                        .containsExactlyInAnyOrderElementsOf(other.segments()));
    }

    /** With one row missing, one too many would not be noticed. */
    @Test
    void updatesTouchNoOthersRows() {
        Began first = began.get(0);
        database.execute("delete from shelfmark.segment where segment_id = '"
                + first.segments().get(1).segmentId() + "'");
        PartitionCommit commit = first.deleted();
        assertThat(commit.onlyUpdates()).isTrue();

        assertThat(store.commit(first.key(), commit)).isEqualTo(new CommitResult.Committed());

        assertThat(Fixtures.read(store, first.key(), new Selection.ChangedSince(2)))
                .containsExactlyInAnyOrderElementsOf(commit.segments());
        assertTheOthersAreUntouched();
    }

    @Test
    void thePurgeRemovesOnlyWhatIsDue() {
        Began first = began.get(0);
        assertThat(store.commit(first.key(), first.deleted())).isEqualTo(new CommitResult.Committed());
        database.execute(
                "update shelfmark.segment set deleted_at = now() - interval '8 days' where deleted_at is not null");
        // What is due comes to stand at the first places.
        database.execute("update shelfmark.segment set broker_id = broker_id where deleted_at is null");
        database.execute("vacuum full shelfmark.segment");

        assertThat(store.purgeDeleted(first.key().clusterId(), 10)).isEqualTo(2);

        assertThat(Fixtures.read(store, first.key(), new Selection.ChangedSince(0)))
                .isEmpty();
        assertTheOthersAreUntouched();
    }
}
