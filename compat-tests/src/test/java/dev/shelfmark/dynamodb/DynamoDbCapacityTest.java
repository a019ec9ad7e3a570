package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store's operations are billed; docs/dynamodb.md computes the monthly bill from these numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DynamoDbCapacityTest {

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();
    private final Meter meter = new Meter();
    private CatalogueStore store;

    @BeforeAll
    void open() {
        dynamoDb.administration(Map.of()).migrate();
        store = dynamoDb.store(meter);
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unitsOfASegmentsLife(boolean keepsHistory) {
        StoreContext context = dynamoDb.context(meter, Map.of());
        CatalogueStore store = dynamoDb.store(
                keepsHistory
                        ? context
                        : new StoreContext(
                                context.config(),
                                new Retention(context.retention().deletedSegments(), Duration.ZERO),
                                context.applicationName(),
                                meter));
        PartitionKey key = Commits.partition();
        double history = keepsHistory ? 2 : 0;

        commit(store, key, Commits.commit(0, 1, Map.of(), Commits.segment(1, 0, SegmentState.COPY_SEGMENT_STARTED, 1)));
        assertThat(meter.take())
                .as("the partition's first: head 2, registry 2, segment 2, three index entries 3; history 2")
                .isEqualTo(new Cost(1, 0, 9 + history));

        commit(
                store,
                key,
                Commits.commit(1, 2, Map.of(), Commits.segment(2, 100, SegmentState.COPY_SEGMENT_STARTED, 2)));
        assertThat(meter.take())
                .as("upload begins: head 2, segment 2, three index entries 3; history 2")
                .isEqualTo(new Cost(1, 0, 7 + history));

        commit(
                store,
                key,
                Commits.commit(
                        2,
                        2,
                        Map.of(4, 149L, 5, 199L),
                        Commits.segment(2, 100, SegmentState.COPY_SEGMENT_FINISHED, 3)));
        assertThat(meter.take())
                .as("the partition's first upload ends: head 2, segment 2, highest offsets 2; moved in changes 2, new"
                        + " in it 1, replaced in two more 2; history 2")
                .isEqualTo(new Cost(1, 0, 11 + history));

        commit(
                store,
                key,
                Commits.commit(3, 2, Map.of(), Commits.segment(2, 100, SegmentState.DELETE_SEGMENT_STARTED, 4)));
        assertThat(meter.take())
                .as("deletion begins: head 2, segment 2; moved in changes 2, replaced in two more 2; history 2")
                .isEqualTo(new Cost(1, 0, 8 + history));

        commit(
                store,
                key,
                Commits.commit(4, 1, Map.of(), Commits.segment(2, 100, SegmentState.DELETE_SEGMENT_FINISHED, 5)));
        assertThat(meter.take())
                .as("deletion ends: head 2, segment 2; moved in changes 2, taken out of two more 2; history 2")
                .isEqualTo(new Cost(1, 0, 8 + history));

        commit(
                store,
                key,
                Commits.commit(5, 1, Map.of(5, 299L), Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 6)));
        assertThat(meter.take())
                .as("upload ends: head 2, segment 2, highest offsets 2; both moved in changes 4, replaced in two more"
                        + " 2; history 2")
                .isEqualTo(new Cost(1, 0, 12 + history));
    }

    @Test
    void sixChangesOfOneCommitAreOneKilobyteOfHistory() {
        SegmentRecord[] six = new SegmentRecord[6];
        for (int i = 0; i < 6; i++) {
            six[i] = Commits.segment(i, 100L * i, SegmentState.COPY_SEGMENT_STARTED, i + 1);
        }
        commit(Commits.partition(), Commits.commit(0, 6, Map.of(), six));
        assertThat(meter.take())
                .as("head 2, registry 2, six segments 12, their index entries 18, history 2")
                .isEqualTo(new Cost(1, 0, 36));
    }

    @Test
    void unitsOfReads() {
        PartitionKey key = Commits.partition();
        fill(key, 96);
        meter.take();

        assertThat(read(key, new Selection.ChangedSince(96))).isEmpty();
        assertThat(meter.take()).as("nothing changed: the head alone").isEqualTo(new Cost(1, 1, 0));

        commit(
                key,
                Commits.commit(96, 97, Map.of(), Commits.segment(97, 9_600, SegmentState.COPY_SEGMENT_STARTED, 97)));
        meter.take();
        assertThat(read(key, new Selection.ChangedSince(96))).hasSize(1);
        assertThat(meter.take()).as("one change: the head and one entry").isEqualTo(new Cost(2, 2, 0));

        assertThat(read(key, new Selection.All())).hasSize(97);
        Cost load = meter.take();
        assertThat(load.requests()).as("head, segments, changes").isEqualTo(3);
        assertThat(load.readUnits())
                .as("97 segments of some 600 bytes, at 4 KB a unit")
                .isBetween(10.0, 20.0);

        assertThat(read(key, new Selection.Holding(4_250))).hasSize(1);
        assertThat(meter.take()).as("head, segments, changes").isEqualTo(new Cost(3, 3, 0));

        assertThat(read(key, new Selection.HeadOnly())).isEmpty();
        assertThat(meter.take()).as("head with highest offsets").isEqualTo(new Cost(1, 1, 0));
    }

    @Test
    void aLookupCostsTheSameHoweverLargeThePartition() {
        PartitionKey small = Commits.partition();
        fill(small, 10);
        PartitionKey large = Commits.partition();
        fill(large, 2_000);
        meter.take();

        for (Selection selection : List.of(
                new Selection.Holding(450), new Selection.WithTxnIndex(450, 1, null), new Selection.HeadOnly())) {
            List<SegmentRecord> ofSmall = read(small, selection);
            Cost costOfSmall = meter.take();
            List<SegmentRecord> ofLarge = read(large, selection);
            assertThat(ofLarge).hasSameSizeAs(ofSmall);
            assertThat(meter.take().requests()).as(selection.toString()).isEqualTo(costOfSmall.requests());
        }
    }

    private void fill(PartitionKey key, int segments) {
        int version = 0;
        while (version < segments) {
            int size = Math.min(store.maxSegmentsPerCommit(), segments - version);
            SegmentRecord[] records = new SegmentRecord[size];
            for (int i = 0; i < size; i++) {
                int next = version + i + 1;
                records[i] = Commits.segment(next, 100L * (next - 1), SegmentState.COPY_SEGMENT_FINISHED, next);
            }
            commit(key, Commits.commit(version, version + size, Map.of(5, 100L * (version + size) - 1), records));
            version += size;
        }
    }

    private void commit(PartitionKey key, PartitionCommit commit) {
        commit(store, key, commit);
    }

    private static void commit(CatalogueStore store, PartitionKey key, PartitionCommit commit) {
        assertThat(store.commit(key, commit)).isEqualTo(new CommitResult.Committed());
    }

    private List<SegmentRecord> read(PartitionKey key, Selection selection) {
        List<SegmentRecord> segments = new ArrayList<>();
        PartitionHead head = store.read(key, selection, segments::add);
        assertThat(head.version()).isPositive();
        return segments.stream().distinct().toList();
    }

    private record Cost(int requests, double readUnits, double writeUnits) {}

    private static final class Meter implements StoreListener {

        private Cost cost = new Cost(0, 0, 0);

        @Override
        public void requested(String operation, long rows, long nanos) {}

        @Override
        public void retried(String operation, String reason) {}

        @Override
        public void consumed(String operation, double readUnits, double writeUnits) {
            cost = new Cost(cost.requests + 1, cost.readUnits + readUnits, cost.writeUnits + writeUnits);
        }

        Cost take() {
            Cost taken = cost;
            cost = new Cost(0, 0, 0);
            return taken;
        }
    }
}
