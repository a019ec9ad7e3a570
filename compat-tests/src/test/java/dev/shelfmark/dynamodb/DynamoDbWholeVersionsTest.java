package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads while a commit is visible in part, as DynamoDB shows it while it applies a transaction. The emulators apply transactions
 * in one step, so the tests put single items back to what they were before the commit.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
final class DynamoDbWholeVersionsTest {

    private static final SegmentRecord STARTED = Commits.segment(1, 0, SegmentState.COPY_SEGMENT_STARTED, 1);
    private static final SegmentRecord FINISHED = Commits.segment(1, 0, SegmentState.COPY_SEGMENT_FINISHED, 2);
    private static final SegmentRecord DELETED = Commits.segment(1, 0, SegmentState.DELETE_SEGMENT_FINISHED, 3);

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();
    private DynamoDbClient client;
    private CatalogueStore store;

    @BeforeAll
    void open() {
        dynamoDb.administration(Map.of()).migrate();
        client = dynamoDb.client();
        store = dynamoDb.store(StoreListener.NONE);
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    static Stream<Selection> selectionsOfSegments() {
        return Stream.of(
                new Selection.All(),
                new Selection.ChangedSince(0),
                new Selection.ChangedSince(1),
                new Selection.ById(Set.of(STARTED.segmentId())),
                new Selection.Holding(50),
                new Selection.WithTxnIndex(0, 10, null));
    }

    static Stream<Selection> selectionsWithAllHighestOffsets() {
        return Stream.concat(
                Stream.of(new Selection.HeadOnly()),
                selectionsOfSegments().filter(selection -> !(selection instanceof Selection.ChangedSince)));
    }

    @ParameterizedTest
    @MethodSource("selectionsOfSegments")
    void newHeadAndOldSegmentIsNoAnswer(Selection selection) {
        PartitionKey key = started();
        String segment = ItemKeys.segment(STARTED.segmentId());
        Map<String, AttributeValue> old = item(key, segment);
        commit(key, Commits.commit(1, 1, Map.of(4, 49L, 5, 99L), FINISHED));
        Map<String, AttributeValue> fresh = item(key, segment);

        put(old);
        assertNoAnswer(key, selection);
        assertThat(read(storePutting(fresh), key, selection)).containsExactly(FINISHED);
    }

    @ParameterizedTest
    @MethodSource("selectionsOfSegments")
    void oldHeadAndNewSegmentIsNoAnswer(Selection selection) {
        PartitionKey key = started();
        if (selection.equals(new Selection.ChangedSince(1))) {
            return;
        }
        Map<String, AttributeValue> old = item(key, ItemKeys.HEAD);
        commit(key, Commits.commit(1, 1, Map.of(4, 49L, 5, 99L), FINISHED));
        Map<String, AttributeValue> fresh = item(key, ItemKeys.HEAD);

        put(old);
        assertNoAnswer(key, selection);
        assertThat(read(storePutting(fresh), key, selection)).containsExactly(FINISHED);
    }

    @ParameterizedTest
    @MethodSource("selectionsOfSegments")
    void newHeadAndASegmentNotYetDeletedIsNoAnswer(Selection selection) {
        PartitionKey key = started();
        commit(key, Commits.commit(1, 1, Map.of(), FINISHED));
        String segment = ItemKeys.segment(STARTED.segmentId());
        Map<String, AttributeValue> old = item(key, segment);
        commit(key, Commits.commit(2, 0, Map.of(), DELETED));
        Map<String, AttributeValue> fresh = item(key, segment);

        put(old);
        assertNoAnswer(key, selection);
        boolean deletedToo = selection instanceof Selection.ChangedSince || selection instanceof Selection.ById;
        assertThat(read(storePutting(fresh), key, selection))
                .filteredOn(seen -> deletedToo || seen.state().live())
                .isEqualTo(deletedToo ? List.of(DELETED) : List.of());
    }

    @ParameterizedTest
    @MethodSource("selectionsOfSegments")
    void aDeletedSegmentThatIsPurgedIsMissedByNobody(Selection selection) {
        PartitionKey key = started();
        commit(key, Commits.commit(1, 1, Map.of(), FINISHED));
        commit(key, Commits.commit(2, 0, Map.of(), DELETED));
        client.deleteItem(request -> request.tableName(dynamoDb.table())
                .key(ItemKeys.of(ItemKeys.partition(key), ItemKeys.segment(STARTED.segmentId()))));

        CatalogueStore reader = dynamoDb.store(StoreListener.NONE);
        assertThat(read(reader, key, selection)).isEmpty();
        assertThat(reader.read(key, selection, unused -> {}).version()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("selectionsWithAllHighestOffsets")
    void newHeadAndOldHighestOffsetsIsNoAnswer(Selection selection) {
        PartitionKey key = started();
        commit(key, Commits.commit(1, 1, Map.of(4, 49L), FINISHED));
        Map<String, AttributeValue> old = item(key, ItemKeys.highest(0));
        commit(key, Commits.commit(2, 1, Map.of(4, 60L, 5, 99L)));
        Map<String, AttributeValue> fresh = item(key, ItemKeys.highest(0));

        put(old);
        assertNoAnswer(key, selection);
        PartitionHead head = storePutting(fresh).read(key, selection, unused -> {});
        assertThat(head.highestOffsets()).isEqualTo(Map.of(4, 60L, 5, 99L));
    }

    @Test
    void aCommitDuringALoadIsPartOfIt() {
        PartitionKey key = started();
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore reader = dynamoDb.store(StoreListener.NONE, answers);
        // Between the head and the segments, and again between the segments and the changes.
        answers.before(() -> answers.before(() -> {
            commit(key, Commits.commit(1, 1, Map.of(4, 49L), FINISHED));
            answers.before(() -> commit(key, Commits.commit(2, 0, Map.of(), DELETED)));
        }));

        Map<UUID, SegmentRecord> loaded = new HashMap<>();
        PartitionHead head = reader.read(key, new Selection.All(), segment -> {
            if (segment.state().live()) {
                loaded.put(segment.segmentId(), segment);
            } else {
                loaded.remove(segment.segmentId());
            }
        });

        assertThat(head.version()).isEqualTo(3);
        assertThat(head.liveSegments()).isZero();
        assertThat(head.highestOffsets()).isEqualTo(Map.of(4, 49L));
        assertThat(loaded).isEmpty();
    }

    @Test
    void highestOffsetsOfVeryManyEpochsFitIntoOneCommit() {
        PartitionKey key = started();
        TreeMap<Integer, Long> highest = new TreeMap<>();
        for (int epoch = 0; epoch < 10_000; epoch++) {
            highest.put(epoch, 10L * epoch + 9);
        }
        commit(key, Commits.commit(1, 1, highest, FINISHED));
        commit(key, Commits.commit(2, 1, Map.of(9_999, 100_000L)));
        highest.put(9_999, 100_000L);

        assertThat(store.read(key, new Selection.HeadOnly(), unused -> {}).highestOffsets())
                .isEqualTo(highest);
        assertThat(store.read(key, new Selection.ChangedSince(1), unused -> {}).highestOffsets())
                .isEqualTo(highest);
        assertThat(store.read(key, new Selection.All(), unused -> {}).highestOffsets())
                .isEqualTo(highest);
    }

    private PartitionKey started() {
        PartitionKey key = Commits.partition();
        commit(key, Commits.commit(0, 1, Map.of(), STARTED));
        return key;
    }

    /** A store to which this item appears after its third request. */
    private CatalogueStore storePutting(Map<String, AttributeValue> item) {
        ScriptedAnswers answers = new ScriptedAnswers();
        answers.before(() ->
                answers.before(() -> answers.before(() -> answers.before(() -> answers.before(() -> put(item))))));
        return dynamoDb.store(StoreListener.NONE, answers);
    }

    /** From a store that did not make the commit: whoever made it knows that it is whole. */
    private void assertNoAnswer(PartitionKey key, Selection selection) {
        CatalogueStore reader = dynamoDb.store(StoreListener.NONE);
        assertThatThrownBy(() -> reader.read(key, selection, unused -> {}))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("visible in part");
    }

    private static List<SegmentRecord> read(CatalogueStore store, PartitionKey key, Selection selection) {
        Map<UUID, SegmentRecord> last = new HashMap<>();
        store.read(key, selection, segment -> last.put(segment.segmentId(), segment));
        return List.copyOf(last.values());
    }

    private void commit(PartitionKey key, PartitionCommit commit) {
        assertThat(store.commit(key, commit)).isEqualTo(new CommitResult.Committed());
    }

    private Map<String, AttributeValue> item(PartitionKey key, String sortKey) {
        return client.getItem(request -> request.tableName(dynamoDb.table())
                        .key(ItemKeys.of(ItemKeys.partition(key), sortKey))
                        .consistentRead(true))
                .item();
    }

    private void put(Map<String, AttributeValue> item) {
        client.putItem(request -> request.tableName(dynamoDb.table()).item(item));
    }
}
