package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.VersionReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything comes back as it was put in. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoundTripTest {

    private final TestDatabase database = TestServer.shared().database();
    private CatalogueStore store = database.store();

    @BeforeAll
    void open() {
        store.verify();
    }

    @AfterAll
    void close() {
        store.close();
    }

    private static SegmentRecord extreme(long version) {
        TreeMap<Integer, Long> epochs =
                new TreeMap<>(Map.of(0, 5L, 3, 7L, 4, 7L, Integer.MAX_VALUE, Long.MAX_VALUE - 1));
        return SegmentRecord.builder(new UUID(-1, 1), 5, Long.MAX_VALUE, LeaderEpochs.of(epochs))
                .state(SegmentState.COPY_SEGMENT_FINISHED)
                .sizeInBytes(Integer.MAX_VALUE)
                .txnIndexEmpty(true)
                .brokerId(Integer.MIN_VALUE)
                .eventTimestampMs(Long.MIN_VALUE)
                .version(version)
                .finishedVersion(version)
                .build();
    }

    @Test
    void versionsOfManyPartitionsAtOnce() {
        PartitionKey first = Fixtures.partition();
        PartitionKey second = Fixtures.partition();
        PartitionKey unheard = Fixtures.partition();
        PartitionKey elsewhere = new PartitionKey("another-cluster", first.topicId(), first.partition());
        Fixtures.commit(store, first, 0, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 1));
        store.commit(second, new PartitionCommit(0, Fixtures.head(7), List.of(), List.of()));
        store.commit(elsewhere, new PartitionCommit(0, Fixtures.head(9), List.of(), List.of()));

        assertThat(((VersionReading) store).versions(first.clusterId(), List.of(second, unheard, first)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(first, 1L, second, 7L));
        assertThat(((VersionReading) store).versions(first.clusterId(), List.of()))
                .isEmpty();
    }

    @Test
    void everyFieldOfASegment() {
        PartitionKey key = Fixtures.partition();
        SegmentRecord plain = Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 1);
        SegmentRecord extreme = extreme(2);

        store.commit(key, new PartitionCommit(0, Fixtures.head(2), List.of(plain, extreme), List.of()));

        assertThat(Fixtures.read(store, key, new Selection.All())).containsExactlyInAnyOrder(plain, extreme);
        assertThat(Fixtures.read(
                        store, key, new Selection.ById(java.util.Set.of(extreme.segmentId(), UUID.randomUUID()))))
                .containsExactly(extreme);
    }

    @ParameterizedTest
    @EnumSource(SegmentState.class)
    void everyState(SegmentState state) {
        PartitionKey key = Fixtures.partition();
        SegmentRecord segment = Fixtures.segment(0, state, 1);
        Fixtures.commit(store, key, 0, segment);
        assertThat(Fixtures.read(store, key, new Selection.ChangedSince(0))).containsExactly(segment);
        assertThat(Fixtures.read(store, key, new Selection.All())).hasSize(state.live() ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(PartitionDeletion.class)
    void everyFieldOfAHead(PartitionDeletion deletion) {
        PartitionKey key = new PartitionKey("cluster-a", UUID.randomUUID(), Integer.MAX_VALUE);
        PartitionHead head = new PartitionHead(
                Long.MAX_VALUE,
                "topic",
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                deletion,
                new TreeMap<>(Map.of(0, Long.MAX_VALUE, Integer.MAX_VALUE, 0L)));
        store.commit(key, new PartitionCommit(0, head, List.of(), List.of()));
        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {})).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "заказы", "注文-🛒", "it's \"quoted\" \\ {a,b} :name <schema> ?", "Ä\u0301", "ORDERS", "orders"
            })
    void namesOfTopicsAndClusters(String name) {
        PartitionKey key = new PartitionKey("cluster " + name, UUID.randomUUID(), 0);
        PartitionHead head = new PartitionHead(1, name, 0, 0, PartitionDeletion.NONE, new TreeMap<>());
        store.commit(key, new PartitionCommit(0, head, List.of(), List.of()));
        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {}).topicName())
                .isEqualTo(name);
    }

    @Test
    void customMetadataIsReplacedAndCleared() {
        PartitionKey key = Fixtures.partition();
        SegmentRecord first = Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 1);
        Fixtures.commit(store, key, 0, first);
        for (CustomMetadata next : new CustomMetadata[] {
            CustomMetadata.of(new byte[0]), CustomMetadata.of(new byte[] {92, 0, 39, -128}), null
        }) {
            long version =
                    store.read(key, new Selection.HeadOnly(), unused -> {}).version();
            SegmentRecord changed = first.toBuilder()
                    .state(SegmentState.COPY_SEGMENT_FINISHED)
                    .customMetadata(next)
                    .version(version + 1)
                    .finishedVersion(version + 1)
                    .build();
            Fixtures.commit(store, key, version, changed);
            assertThat(Fixtures.read(store, key, new Selection.All())).containsExactly(changed);
        }
    }

    /** Many that go on update rows that are there; nothing may be lost, or half done, where one is not. */
    @Test
    void aRowThatSomebodyTookAwayIsPutAgainWhole() {
        PartitionKey key = Fixtures.partition();
        List<SegmentRecord> began = LongStream.range(0, 3)
                .mapToObj(i -> Fixtures.segment(100 * i, SegmentState.COPY_SEGMENT_STARTED, i + 1))
                .toList();
        store.commit(key, new PartitionCommit(0, Fixtures.head(3), began, List.of()));
        List<SegmentRecord> ended = LongStream.range(0, 3)
                .mapToObj(i -> Fixtures.with(began.get((int) i), SegmentState.COPY_SEGMENT_FINISHED, i + 4))
                .toList();
        List<StateChange> changes = ended.stream()
                .<StateChange>map(segment -> new StateChange.OfSegment(
                        segment.version(),
                        segment.segmentId(),
                        SegmentState.COPY_SEGMENT_STARTED,
                        segment.state(),
                        segment.brokerId(),
                        segment.eventTimestampMs()))
                .toList();
        PartitionCommit commit = new PartitionCommit(3, Fixtures.head(6, Map.of(3, 299L)), ended, changes);
        database.execute("delete from shelfmark.segment where segment_id = '"
                + began.get(1).segmentId() + "'");

        assertThat(store.commit(key, commit)).isEqualTo(new CommitResult.Committed());
        assertThat(Fixtures.read(store, key, new Selection.All())).containsExactlyInAnyOrderElementsOf(ended);
        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {})).isEqualTo(commit.head());
        assertThat(database.query("select unnest(versions) from shelfmark.state_change_group where partition_id ="
                        + " (select id from shelfmark.topic_partition where topic_id = '" + key.topicId() + "')"))
                .containsExactly("4", "5", "6");
    }

    @Test
    void highestOffsetsAreKeptByEpochAndReadByVersion() {
        PartitionKey key = Fixtures.partition();
        store.commit(key, new PartitionCommit(0, Fixtures.head(1, Map.of(1, 10L, 2, 20L)), List.of(), List.of()));
        store.commit(key, new PartitionCommit(1, Fixtures.head(2, Map.of(2, 25L, 3, 30L)), List.of(), List.of()));

        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {}).highestOffsets())
                .isEqualTo(Map.of(1, 10L, 2, 25L, 3, 30L));
        assertThat(store.read(key, new Selection.ChangedSince(1), unused -> {}).highestOffsets())
                .isEqualTo(Map.of(2, 25L, 3, 30L));
        assertThat(store.read(key, new Selection.ChangedSince(2), unused -> {})).isEqualTo(Fixtures.head(2));
    }

    @Test
    void ofSeveralCommitsWithOneVersionOneWins() {
        PartitionKey key = Fixtures.partition();
        for (long version = 0; version < 20; version++) {
            long expected = version;
            List<CommitResult> results = IntStream.range(0, 8)
                    .parallel()
                    .mapToObj(i -> Fixtures.commit(
                            store,
                            key,
                            expected,
                            Fixtures.segment(100 * expected, SegmentState.COPY_SEGMENT_STARTED, expected + 1)))
                    .toList();
            assertThat(results)
                    .filteredOn(CommitResult.Committed.class::isInstance)
                    .hasSize(1);
        }
        assertThat(Fixtures.read(store, key, new Selection.All())).hasSize(20);
    }

    @Test
    void aVersionAheadIsAsWrongAsOneBehind() {
        PartitionKey key = Fixtures.partition();
        Fixtures.commit(store, key, 0);
        Fixtures.commit(store, key, 1);
        for (long wrong : new long[] {0, 1, 3, Long.MAX_VALUE - 1}) {
            SegmentRecord segment = Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, wrong + 1);
            assertThat(Fixtures.commit(store, key, wrong, segment)).isEqualTo(new CommitResult.VersionConflict());
        }
        assertThat(Fixtures.read(store, key, new Selection.ChangedSince(0))).isEmpty();
        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {}).version())
                .isEqualTo(2);
    }

    @Test
    void aFullBatch() {
        PartitionKey key = Fixtures.partition();
        int size = store.maxSegmentsPerCommit();
        List<SegmentRecord> segments = LongStream.range(0, size)
                .mapToObj(i -> Fixtures.segment(100 * i, SegmentState.COPY_SEGMENT_STARTED, i + 1))
                .toList();
        store.commit(key, new PartitionCommit(0, Fixtures.head(size), segments, List.of()));
        assertThat(Fixtures.read(store, key, new Selection.All())).containsExactlyInAnyOrderElementsOf(segments);
        assertThat(Fixtures.read(store, key, new Selection.ChangedSince(size - 2)))
                .containsExactlyInAnyOrder(segments.get(size - 2), segments.get(size - 1));
    }

    @Test
    void pagesOfSegmentsWithTransactionIndexAscendBytewise() {
        PartitionKey key = Fixtures.partition();
        List<SegmentRecord> segments = new ArrayList<>();
        for (UUID id : List.of(new UUID(-1, 0), new UUID(1, -1), new UUID(1, 1), new UUID(0, 0))) {
            segments.add(SegmentRecord.builder(id, 10, 30, LeaderEpochs.of(0, 10))
                    .state(SegmentState.COPY_SEGMENT_FINISHED)
                    .maxTimestampMs(0)
                    .sizeInBytes(1)
                    .brokerId(1)
                    .version(1)
                    .finishedVersion(1)
                    .build());
        }
        store.commit(key, new PartitionCommit(0, Fixtures.head(1), segments, List.of()));

        List<SegmentRecord> first = Fixtures.read(store, key, new Selection.WithTxnIndex(30, 3, null));
        List<SegmentRecord> second = Fixtures.read(
                store,
                key,
                new Selection.WithTxnIndex(
                        30, 3, new Selection.Position(10, first.get(2).segmentId())));

        assertThat(first)
                .extracting(SegmentRecord::segmentId)
                .containsExactly(new UUID(0, 0), new UUID(1, 1), new UUID(1, -1));
        assertThat(second).extracting(SegmentRecord::segmentId).containsExactly(new UUID(-1, 0));
        assertThat(Fixtures.read(store, key, new Selection.WithTxnIndex(31, 3, null)))
                .isEmpty();
    }

    @Test
    void whichSegmentsHoldAnOffset() {
        PartitionKey key = Fixtures.partition();
        SegmentRecord low = Fixtures.segment(0, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord high = Fixtures.segment(99, SegmentState.COPY_SEGMENT_STARTED, 2);
        store.commit(key, new PartitionCommit(0, Fixtures.head(2), List.of(low, high), List.of()));

        assertThat(Fixtures.read(store, key, new Selection.Holding(0))).containsExactly(low);
        assertThat(Fixtures.read(store, key, new Selection.Holding(99))).containsExactlyInAnyOrder(low, high);
        assertThat(Fixtures.read(store, key, new Selection.Holding(198))).containsExactly(high);
        assertThat(Fixtures.read(store, key, new Selection.Holding(199))).isEmpty();
        assertThat(Fixtures.read(store, key, new Selection.Holding(-1))).isEmpty();
        assertThat(Fixtures.read(store, key, new Selection.Holding(Long.MIN_VALUE)))
                .isEmpty();
    }

    @Test
    void clustersDoNotSeeEachOther() {
        PartitionKey ours = Fixtures.partition();
        PartitionKey theirs = new PartitionKey("cluster-b", ours.topicId(), ours.partition());
        Fixtures.commit(store, ours, 0, Fixtures.segment(0, SegmentState.COPY_SEGMENT_STARTED, 1));

        assertThat(store.read(theirs, new Selection.HeadOnly(), unused -> {})).isEqualTo(PartitionHead.NEW);
        assertThat(Fixtures.read(store, theirs, new Selection.All())).isEmpty();
        assertThat(Fixtures.commit(store, theirs, 1)).isEqualTo(new CommitResult.VersionConflict());
        assertThat(Fixtures.commit(store, theirs, 0)).isEqualTo(new CommitResult.Committed());
        assertThat(Fixtures.read(store, ours, new Selection.All())).hasSize(1);
    }
}
