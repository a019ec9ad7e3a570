package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** History that is brought in: one holder, fenced; whole loads; progress that a kill does not lose. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
final class DynamoDbBulkLoaderTest {

    private static final Duration TERM = Duration.ofMinutes(5);

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();
    private final ScriptedAnswers answers = new ScriptedAnswers();
    private DynamoDbAdministration administration;
    private CatalogueStore store;
    private String clusterId = "";

    @BeforeAll
    void open() {
        administration = dynamoDb.administration(Map.of(), answers);
        administration.migrate();
        store = dynamoDb.store(StoreListener.NONE);
    }

    @BeforeEach
    void newCluster() {
        clusterId = "cluster-" + UUID.randomUUID();
        put(ClusterState.IMPORTING, 1);
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    @Test
    void oneHolderAtATime() {
        BulkLoader first = claim("first", TERM);
        LoadClaim.Held held = (LoadClaim.Held) administration.claimLoad(clusterId, "second", TERM);
        assertThat(held.holder()).isEqualTo("first");
        assertThat(held.until()).isAfter(Instant.now()).isBefore(Instant.now().plus(TERM.multipliedBy(2)));

        first.close();
        first.close();
        claim("second", TERM).close();
    }

    @Test
    void aFormerHolderChangesNothing() {
        BulkLoader first = claim("first", Duration.ofMillis(-1));
        BulkLoader second = claim("second", TERM);
        PartitionKey key = partition();

        assertThat(first.load(List.of(load(key, 0, 1)))).isEqualTo(LoadResult.CLAIM_LOST);
        assertThat(first.checkpoint(1, new Checkpoint("topic", 5, ""))).isEqualTo(LoadResult.CLAIM_LOST);
        assertThat(first.renew()).isEqualTo(LoadResult.CLAIM_LOST);
        first.close();
        assertThat(second.renew())
                .as("the former holder's end gives nothing back")
                .isEqualTo(LoadResult.LOADED);
        assertThat(second.empty()).isTrue();
        assertThat(second.checkpoints()).isEmpty();
    }

    /** What an import notes grows with the topics that it has ever read of; an item takes 400 KB. */
    @Test
    void aCheckpointTakesTheCountsOfThousandsOfTopics() {
        String note = IntStream.range(0, 3_000)
                .mapToObj(i ->
                        "'%s':{'name':'payments.eu.orders.v%d','events':12,'partitions':1,'misplaced':0,'dropped':{},'segments':{'COPY_SEGMENT_FINISHED':4}}"
                                .formatted(TextualId.of(UUID.randomUUID()), i))
                .collect(Collectors.joining(",", "{'topics':{", "},'unusable':{}}"));
        Checkpoint checkpoint = new Checkpoint("topic", 5, note);
        BulkLoader loader = claim("anna", TERM);

        assertThat(loader.checkpoint(1, checkpoint)).isEqualTo(LoadResult.LOADED);
        assertThat(administration.checkpoints(clusterId)).containsExactly(Map.entry(1, checkpoint));
    }

    @Test
    void aClaimIsForOneState() {
        put(ClusterState.DRAINING_TO_READY, 2);
        try (BulkLoader late = claim("anna", TERM)) {
            assertThat(late.renew()).isEqualTo(LoadResult.NOT_IMPORTING);
        }
        try (BulkLoader last = ((LoadClaim.Granted)
                        administration.claimLoad(clusterId, ClusterState.DRAINING_TO_READY, "anna", TERM))
                .loader()) {
            assertThat(last.checkpoint(5, new BulkLoader.Checkpoint("topic", 2, "")))
                    .isEqualTo(LoadResult.LOADED);
        }
        assertThat(administration.checkpoints(clusterId))
                .containsExactly(java.util.Map.entry(5, new BulkLoader.Checkpoint("topic", 2, "")));
    }

    @Test
    void nothingIsLoadedIntoAClusterThatIsReady() {
        BulkLoader loader = claim("anna", TERM);
        put(ClusterState.READY, 2);

        assertThat(loader.load(List.of(load(partition(), 0, 1)))).isEqualTo(LoadResult.NOT_IMPORTING);
        assertThat(loader.renew()).isEqualTo(LoadResult.NOT_IMPORTING);
        assertThat(loader.empty()).isTrue();
    }

    @Test
    void loadsManyPartitionsAndWhatTheyHoldCanBeRead() {
        BulkLoader loader = claim("anna", TERM);
        List<PartitionLoad> loads = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            loads.add(load(new PartitionKey(clusterId, new UUID(1, 1), i), 0, 1 + i));
        }
        int before = answers.calls("TransactWriteItems");
        assertThat(loader.empty()).isTrue();
        assertThat(loader.load(loads)).isEqualTo(LoadResult.LOADED);
        assertThat(loader.empty()).isFalse();

        assertThat(answers.calls("TransactWriteItems") - before)
                .as("small loads share transactions")
                .isLessThan(30);
        for (PartitionLoad load : loads) {
            assertThat(read(load.key())).containsExactlyInAnyOrderElementsOf(load.added());
        }
        assertThat(loader.progress(3))
                .hasSize(60)
                .containsEntry(loads.get(7).key(), loads.get(7).progress());
    }

    /** A RemoteStorageManager may keep much in its metadata; a transaction takes 4 MB, however few actions it has. */
    @Test
    void largeLoadsShareNoTransactionThatCanNotTakeThem() {
        BulkLoader loader = claim("anna", TERM);
        List<PartitionLoad> loads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            PartitionKey key = new PartitionKey(clusterId, new UUID(1, 1), i);
            loads.add(load(key, 0, head(1, 1), List.of(large(1 + i)), List.of(), Set.of()));
        }
        int before = answers.calls("TransactWriteItems");

        assertThat(loader.load(loads)).isEqualTo(LoadResult.LOADED);
        assertThat(answers.calls("TransactWriteItems") - before)
                .as("those that fit share transactions")
                .isLessThan(6);
        for (PartitionLoad load : loads) {
            assertThat(read(load.key())).containsExactlyElementsOf(load.added());
        }
    }

    private static SegmentRecord large(int number) {
        SegmentRecord small = Commits.segment(number, 100L * number, SegmentState.COPY_SEGMENT_FINISHED, 1);
        return small.toBuilder()
                .customMetadata(CustomMetadata.of(new byte[350_000]))
                .build();
    }

    @Test
    void severalLoadsOfOnePartitionApplyInOrder() {
        BulkLoader loader = claim("anna", TERM);
        PartitionKey key = partition();
        SegmentRecord kept = Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord replaced = Commits.segment(2, 100, SegmentState.COPY_SEGMENT_STARTED, 2);
        SegmentRecord removed = Commits.segment(3, 200, SegmentState.COPY_SEGMENT_FINISHED, 3);
        SegmentRecord finished = Commits.segment(2, 100, SegmentState.COPY_SEGMENT_FINISHED, 4);

        assertThat(loader.load(List.of(
                        load(key, 0, head(3, 3), List.of(kept, replaced, removed), List.of(), Set.of()),
                        load(key, 3, head(4, 2), List.of(), List.of(finished), Set.of(removed.segmentId())))))
                .isEqualTo(LoadResult.LOADED);

        assertThat(read(key)).containsExactlyInAnyOrder(kept, finished);
        List<SegmentRecord> byId = new ArrayList<>();
        store.read(key, new Selection.ById(Set.of(removed.segmentId())), byId::add);
        assertThat(byId).as("not even as deleted").isEmpty();
    }

    static Stream<Selection> selectionsOfLiveSegments() {
        return Stream.of(
                new Selection.All(),
                new Selection.ChangedSince(0),
                new Selection.ById(Set.of(new UUID(7, 1), new UUID(7, 2))),
                new Selection.Holding(250),
                new Selection.WithTxnIndex(0, 10, null));
    }

    /** A record that is taken away leaves nothing behind that a reader could find. */
    @ParameterizedTest
    @MethodSource("selectionsOfLiveSegments")
    void aLoadThatOnlyRemovesIsReadWholeOrNotAtAll(Selection selection) {
        for (int requests = 1; requests <= 4; requests++) {
            PartitionKey key = withTwoSegments();
            PartitionLoad removal = load(key, 3, withoutHighest(4, 1), List.of(), List.of(), Set.of(new UUID(7, 2)));
            assertWhole(key, selection, requests, removal);
        }
    }

    @ParameterizedTest
    @MethodSource("selectionsOfLiveSegments")
    void aLoadThatAlsoRemovesIsReadWholeOrNotAtAll(Selection selection) {
        for (int requests = 1; requests <= 4; requests++) {
            PartitionKey key = withTwoSegments();
            SegmentRecord replaced = spanning(1, 4);
            PartitionLoad load =
                    load(key, 3, withoutHighest(4, 1), List.of(), List.of(replaced), Set.of(new UUID(7, 2)));
            assertWhole(key, selection, requests, load);
        }
    }

    /** Two segments that both hold offset 250, and that the last load did not write. */
    private PartitionKey withTwoSegments() {
        PartitionKey key = partition();
        List<SegmentRecord> both = List.of(spanning(1, 1), spanning(2, 2));
        assertThat(claim("anna", Duration.ofMillis(-1))
                        .load(List.of(
                                load(key, 0, withoutHighest(2, 2), both, List.of(), Set.of()),
                                load(key, 2, head(3, 2), List.of(), List.of(), Set.of()))))
                .isEqualTo(LoadResult.LOADED);
        return key;
    }

    private static SegmentRecord spanning(int number, long version) {
        return Commits.segment(number, 200, SegmentState.COPY_SEGMENT_FINISHED, version);
    }

    private static PartitionHead withoutHighest(long version, long live) {
        return new PartitionHead(version, "orders", live, 99, PartitionDeletion.NONE, new TreeMap<>());
    }

    /** What is read while something is loaded before a request of the reader's is of the version that the head says. */
    private void assertWhole(PartitionKey key, Selection selection, int request, PartitionLoad load) {
        ScriptedAnswers reading = new ScriptedAnswers();
        before(
                reading,
                request,
                () -> assertThat(claim("bert", Duration.ofMillis(-1)).load(List.of(load)))
                        .isEqualTo(LoadResult.LOADED));
        Map<UUID, SegmentRecord> seen = new HashMap<>();
        PartitionHead head;
        try {
            head = dynamoDb.store(StoreListener.NONE, reading)
                    .read(key, selection, segment -> seen.put(segment.segmentId(), segment));
        } catch (StoreException.Unavailable cantTell) {
            return;
        }
        assertThat(seen)
                .as("version %d, loaded before request %d", head.version(), request)
                .hasSize((int) head.liveSegments());
    }

    private static void before(ScriptedAnswers answers, int request, Runnable action) {
        answers.before(request == 1 ? action : () -> before(answers, request - 1, action));
    }

    @Test
    void anotherVersionIsAConflict() {
        BulkLoader loader = claim("anna", TERM);
        PartitionKey key = partition();
        assertThat(store.commit(key, Commits.commit(0, 0, Map.of()))).isEqualTo(new CommitResult.Committed());

        assertThat(loader.load(List.of(load(partition(), 0, 1), load(key, 0, 1))))
                .isEqualTo(LoadResult.VERSION_CONFLICT);
        assertThat(read(key)).isEmpty();
    }

    @Test
    void aCheckpointForgetsTheProgressOfItsSource() {
        BulkLoader loader = claim("anna", TERM);
        PartitionKey key = partition();
        for (int round = 0; round < 3; round++) {
            assertThat(loader.load(List.of(load(key, round, 1 + round)))).isEqualTo(LoadResult.LOADED);
            assertThat(loader.progress(3)).containsOnlyKeys(key);
            assertThat(loader.checkpoint(3, new Checkpoint("topic-3", 10L * round, "note " + round)))
                    .isEqualTo(LoadResult.LOADED);
            assertThat(loader.progress(3)).isEmpty();
        }
        assertThat(loader.checkpoint(4, new Checkpoint("topic-4", 7, ""))).isEqualTo(LoadResult.LOADED);

        loader.close();
        BulkLoader next = claim("bert", TERM);
        assertThat(next.checkpoints())
                .isEqualTo(Map.of(3, new Checkpoint("topic-3", 20, "note 2"), 4, new Checkpoint("topic-4", 7, "")));
        assertThat(next.progress(3)).isEmpty();
        assertThat(next.load(List.of(load(key, 3, 9)))).isEqualTo(LoadResult.LOADED);
        assertThat(next.progress(3)).containsOnly(Map.entry(key, new Progress(90, "at 9")));
    }

    @Test
    void aLoadWhoseAnswerIsLostIsAppliedOnce() {
        BulkLoader loader = claim("anna", TERM);
        PartitionKey key = partition();
        answers.fail("TransactWriteItems", 500, "InternalServerError");

        assertThat(loader.load(List.of(load(key, 0, 1)))).isEqualTo(LoadResult.LOADED);
        assertThat(read(key)).hasSize(1);
    }

    @Test
    void tooManySegmentsAreRefused() {
        BulkLoader loader = claim("anna", TERM);
        List<SegmentRecord> segments = new ArrayList<>();
        for (int i = 1; i <= loader.maxSegmentsPerLoad() + 1; i++) {
            segments.add(Commits.segment(i, 100L * i, SegmentState.COPY_SEGMENT_FINISHED, i));
        }
        PartitionKey key = partition();
        int size = segments.size();
        assertThatThrownBy(() -> loader.load(List.of(load(key, 0, head(size, size), segments, List.of(), Set.of()))))
                .isInstanceOf(StoreException.Unsupported.class);
        List<SegmentRecord> fitting = segments.subList(0, size - 1);
        assertThat(loader.load(List.of(load(key, 0, head(size - 1, size - 1), fitting, List.of(), Set.of()))))
                .isEqualTo(LoadResult.LOADED);
        assertThat(read(key)).hasSize(size - 1);
    }

    private BulkLoader claim(String holder, Duration term) {
        return ((LoadClaim.Granted) administration.claimLoad(clusterId, holder, term)).loader();
    }

    private void put(ClusterState state, long revision) {
        assertThat(administration.putCluster(new ClusterRecord(clusterId, state, revision, Instant.EPOCH, "test", "")))
                .isTrue();
    }

    private PartitionKey partition() {
        return new PartitionKey(clusterId, UUID.randomUUID(), 0);
    }

    private List<SegmentRecord> read(PartitionKey key) {
        List<SegmentRecord> segments = new ArrayList<>();
        store.read(key, new Selection.All(), segments::add);
        return segments.stream().distinct().toList();
    }

    /** Adds a segment of this number. */
    private static PartitionLoad load(PartitionKey key, long expected, int number) {
        SegmentRecord segment =
                Commits.segment(number, 100L * number, SegmentState.COPY_SEGMENT_FINISHED, expected + 1);
        return new PartitionLoad(
                key,
                expected,
                head(expected + 1, expected + 1),
                List.of(segment),
                List.of(),
                Set.of(),
                3,
                new Progress(10L * number, "at " + number));
    }

    private static PartitionLoad load(
            PartitionKey key,
            long expected,
            PartitionHead head,
            List<SegmentRecord> added,
            List<SegmentRecord> replaced,
            Set<UUID> removed) {
        return new PartitionLoad(key, expected, head, added, replaced, removed, 3, new Progress(1, ""));
    }

    private static PartitionHead head(long version, long live) {
        return new PartitionHead(
                version, "orders", live, 99, PartitionDeletion.NONE, new TreeMap<>(Map.of(5, 100L * version)));
    }
}
