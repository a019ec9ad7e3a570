package dev.shelfmark.compat;

import static dev.shelfmark.store.PartitionDeletion.DELETE_PARTITION_FINISHED;
import static dev.shelfmark.store.PartitionDeletion.DELETE_PARTITION_MARKED;
import static dev.shelfmark.store.PartitionDeletion.DELETE_PARTITION_STARTED;
import static dev.shelfmark.store.PartitionDeletion.NONE;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.DeletePartition;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.RecordedChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What {@link CatalogueStore#commit} leaves for {@link CatalogueListing#history}. */
@DisplayName("History: the changes that led here, in order, with who and when, for as long as they are kept")
public abstract class HistoryContract extends StoreContract {

    private static final CommitResult COMMITTED = new CommitResult.Committed();
    private static final CommitResult CONFLICT = new CommitResult.VersionConflict();
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    protected HistoryContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private CatalogueListing listing() {
        return closeLater(harness().listing(StoreListener.NONE));
    }

    private static List<RecordedChange> recorded(CatalogueListing listing, PartitionKey key, int limit) {
        List<RecordedChange> all = new ArrayList<>();
        String after = null;
        do {
            Page<RecordedChange> page = listing.history(key, after, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(item -> all.add(((Found<RecordedChange>) item).value()));
            after = page.next();
        } while (after != null);
        return all;
    }

    private static List<StateChange> history(CatalogueListing listing, PartitionKey key, int limit) {
        return recorded(listing, key, limit).stream()
                .map(RecordedChange::change)
                .toList();
    }

    private List<StateChange> history(TestPartition partition) {
        return history(listing(), partition.key(), 1000);
    }

    private CatalogueStore keeping(Duration history) {
        return open(new Retention(LONG_RETENTION.deletedSegments(), history), StoreListener.NONE);
    }

    private static PartitionCommit headAlone(PartitionHead now, StateChange... changes) {
        long version = now.version() + changes.length;
        return new PartitionCommit(
                now.version(),
                new PartitionHead(version, "t", now.liveSegments(), now.maxOffsetSpan(), NONE, new TreeMap<>()),
                List.of(),
                List.of(changes));
    }

    @Test
    @DisplayName("A segment's life, change by change, and when each was committed")
    void life() {
        TestPartition partition = newPartition();
        Instant began = Instant.now();
        List<StateChange> expected = new ArrayList<>();
        SegmentRecord segment = Segments.started(0, 9);
        for (SegmentState state : SegmentState.values()) {
            PartitionCommit commit = partition.next(Segments.in(state, segment));
            assertThat(partition.commit(commit)).isEqualTo(COMMITTED);
            expected.addAll(commit.changes());
        }
        assertThat(expected)
                .element(0)
                .satisfies(change ->
                        assertThat(((StateChange.OfSegment) change).from()).isNull());
        assertThat(history(partition)).hasSize(4).isEqualTo(expected);
        assertThat(recorded(listing(), partition.key(), 10))
                .allSatisfy(change -> assertThat(change.recordedAt())
                        .isBetween(began.minus(CLOCKS_APART), Instant.now().plus(CLOCKS_APART)));
    }

    @Test
    @DisplayName("Every change of a commit, two of one segment among them, and none that it does not name")
    void batch() {
        TestPartition partition = newPartition();
        PartitionCommit next = partition.next(Map.of(3, 9L), Segments.finished(0, 9), Segments.finished(10, 19));
        SegmentRecord twice = next.segments().get(0);
        List<StateChange> changes = List.of(
                new StateChange.OfSegment(2, twice.segmentId(), null, COPY_SEGMENT_STARTED, 5, 50),
                new StateChange.OfSegment(4, UUID.randomUUID(), null, COPY_SEGMENT_FINISHED, 6, 60),
                new StateChange.OfSegment(7, twice.segmentId(), COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, 7, 70));
        PartitionHead head = next.head();
        assertThat(partition.commit(new PartitionCommit(
                        0,
                        new PartitionHead(
                                9, "t", head.liveSegments(), head.maxOffsetSpan(), NONE, head.highestOffsets()),
                        next.segments(),
                        changes)))
                .isEqualTo(COMMITTED);
        assertThat(history(partition)).isEqualTo(changes);
    }

    @Test
    @DisplayName("As many changes as a commit can have, and whatever values they have")
    void extremes() {
        TestPartition partition = newPartition();
        PartitionCommit most = partition.next(LongStream.range(0, store().maxSegmentsPerCommit())
                .mapToObj(i -> Segments.started(i * 10, i * 10 + 9))
                .toArray(SegmentRecord[]::new));
        assertThat(partition.commit(most)).isEqualTo(COMMITTED);
        assertThat(history(partition)).isEqualTo(most.changes());

        TestPartition far = newPartition();
        long version = 7_000_000_000L;
        List<StateChange> changes = List.of(
                new StateChange.OfSegment(
                        version - 2, new UUID(-1, -1), null, DELETE_SEGMENT_FINISHED, -1, Long.MIN_VALUE),
                new StateChange.OfSegment(
                        version - 1, new UUID(0, 0), COPY_SEGMENT_FINISHED, COPY_SEGMENT_FINISHED, 0, Long.MAX_VALUE),
                new StateChange.OfPartition(version, NONE, DELETE_PARTITION_MARKED, Integer.MIN_VALUE, -1));
        assertThat(far.commit(new PartitionCommit(
                        0, new PartitionHead(version, "t", 0, 0, NONE, new TreeMap<>()), List.of(), changes)))
                .isEqualTo(COMMITTED);
        assertThat(history(far)).isEqualTo(changes);
    }

    @Test
    @DisplayName("The deletion of a partition is part of it")
    void partitionDeletion() {
        TestPartition partition = newPartition();
        List<StateChange> expected = List.of(
                new StateChange.OfPartition(1, NONE, DELETE_PARTITION_MARKED, 3, 30),
                new StateChange.OfPartition(2, DELETE_PARTITION_MARKED, DELETE_PARTITION_STARTED, 4, 40),
                new StateChange.OfPartition(3, DELETE_PARTITION_STARTED, DELETE_PARTITION_FINISHED, 5, 50));
        for (StateChange change : expected) {
            assertThat(partition.commit(headAlone(partition.head(), change))).isEqualTo(COMMITTED);
        }
        assertThat(history(partition)).isEqualTo(expected);
    }

    @Test
    @DisplayName("A commit that conflicts, or is repeated, leaves nothing")
    void conflict() {
        TestPartition partition = newPartition();
        PartitionCommit first = partition.next(Segments.started(0, 9));
        PartitionCommit rival = partition.next(Segments.started(0, 9));
        assertThat(partition.commit(first)).isEqualTo(COMMITTED);
        assertThat(partition.commit(rival)).isEqualTo(CONFLICT);
        assertThat(partition.commit(first)).isEqualTo(CONFLICT);
        PartitionCommit second = partition.next(Segments.started(10, 19));
        PartitionCommit late = partition.next(Segments.started(10, 19));
        assertThat(partition.commit(second)).isEqualTo(COMMITTED);
        assertThat(partition.commit(late)).isEqualTo(CONFLICT);
        StateChange early = new StateChange.OfSegment(8, UUID.randomUUID(), null, COPY_SEGMENT_STARTED, 1, 1);
        assertThat(partition.commit(new PartitionCommit(
                        7, new PartitionHead(8, "t", 0, 0, NONE, new TreeMap<>()), List.of(), List.of(early))))
                .isEqualTo(CONFLICT);
        assertThat(history(partition))
                .containsExactly(first.changes().get(0), second.changes().get(0));
    }

    @TestFactory
    @DisplayName("With a lost answer: all of it is there when the commit is, and nothing when it is not")
    Stream<DynamicTest> lostAnswers() {
        Map<String, Consumer<Faults>> faults = new TreeMap<>(Map.of(
                "cut before the request", faultsOf -> faultsOf.cutBeforeRequest(1),
                "answer swallowed", faultsOf -> faultsOf.swallowAnswer(1)));
        return faults.entrySet().stream()
                .map(fault -> DynamicTest.dynamicTest(fault.getKey(), () -> {
                    FaultyStore faulty = openFaulty();
                    TestPartition partition = newPartition();
                    partition.through(faulty.store()).all();
                    PartitionCommit commit = partition.next(Segments.finished(0, 9), Segments.finished(10, 19));
                    fault.getValue().accept(faulty.faults());
                    boolean applied = CommitAttempt.of(partition.through(faulty.store()), commit)
                            .applied(partition);
                    assertThat(history(partition)).isEqualTo(applied ? commit.changes() : List.of());
                }));
    }

    @Test
    @DisplayName("What the catalogue refuses, ignores or finds done leaves nothing; what it does leaves each step")
    void throughTheCatalogue() {
        PartitionKey key = newPartition().key();
        SegmentCatalogue catalogue =
                new SegmentCatalogue(store(), CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run);
        SegmentRecord segment = Segments.started(0, 9);
        UUID id = segment.segmentId();
        UUID unknown = UUID.randomUUID();
        List<MetadataEvent> events = List.of(
                new AddSegment(segment),
                new AddSegment(segment), // done already
                new UpdateSegment(unknown, COPY_SEGMENT_FINISHED, null, 9, 1), // refused
                new UpdateSegment(unknown, DELETE_SEGMENT_STARTED, null, 9, 2), // ignored
                new UpdateSegment(id, COPY_SEGMENT_FINISHED, null, 2, 3),
                new UpdateSegment(id, DELETE_SEGMENT_FINISHED, null, 9, 4), // refused
                new UpdateSegment(id, COPY_SEGMENT_FINISHED, null, 3, 5), // again, by another broker
                new DeletePartition(DELETE_PARTITION_MARKED, 4, 6),
                new DeletePartition(DELETE_PARTITION_MARKED, 9, 7)); // done already
        catalogue.write(key, "orders", events, Deadline.in(Duration.ofSeconds(30)));
        catalogue.write(
                key,
                "orders",
                List.of(new UpdateSegment(id, DELETE_SEGMENT_STARTED, null, 5, 8)),
                Deadline.in(Duration.ofSeconds(30)));
        assertThat(history(listing(), key, 10))
                .containsExactly(
                        new StateChange.OfSegment(
                                1, id, null, COPY_SEGMENT_STARTED, segment.brokerId(), segment.eventTimestampMs()),
                        new StateChange.OfSegment(2, id, COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, 2, 3),
                        new StateChange.OfSegment(3, id, COPY_SEGMENT_FINISHED, COPY_SEGMENT_FINISHED, 3, 5),
                        new StateChange.OfPartition(4, NONE, DELETE_PARTITION_MARKED, 4, 6),
                        new StateChange.OfSegment(5, id, COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED, 5, 8));
    }

    @Test
    @DisplayName("Writers that race leave each version once, in order, as the winner made it")
    void races() throws Exception {
        TestPartition partition = newPartition();
        List<CatalogueStore> processes = List.of(open(), open());
        List<Callable<List<StateChange>>> writers = new ArrayList<>();
        for (CatalogueStore process : processes) {
            writers.add(() -> {
                List<StateChange> mine = new ArrayList<>();
                for (int i = 0; i < 15; ) {
                    PartitionCommit commit = partition.through(process).next(Segments.started(i, i));
                    if (process.commit(partition.key(), commit).equals(COMMITTED)) {
                        mine.addAll(commit.changes());
                        i++;
                    }
                }
                return mine;
            });
        }
        List<StateChange> done =
                Together.run(writers).stream().flatMap(List::stream).toList();
        List<StateChange> kept = history(partition);
        assertThat(kept).containsExactlyInAnyOrderElementsOf(done);
        assertThat(kept.stream().map(StateChange::version))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
    }

    @Test
    @DisplayName("It costs a row for each change, and no request")
    void cost() {
        CountingListener with = new CountingListener();
        CountingListener without = new CountingListener();
        CountingListener.Cost kept = costOfALife(with, LONG_RETENTION);
        CountingListener.Cost notKept =
                costOfALife(without, new Retention(LONG_RETENTION.deletedSegments(), Duration.ZERO));
        assertThat(kept.requests()).isEqualTo(notKept.requests()).isEqualTo(4);
        assertThat(kept.rows()).isEqualTo(notKept.rows() + 4);
    }

    private CountingListener.Cost costOfALife(CountingListener counted, Retention retention) {
        TestPartition partition = newPartition();
        CatalogueStore store = open(retention, counted);
        SegmentRecord segment = Segments.started(0, 9);
        partition.put(Segments.started(50, 59));
        return counted.costOf(() -> {
            for (SegmentState state : SegmentState.values()) {
                PartitionCommit next = partition.next(Segments.in(state, segment));
                assertThat(store.commit(partition.key(), next)).isEqualTo(COMMITTED);
            }
        });
    }

    @Test
    @DisplayName("Another cluster's partition of the same topic id and number has its own")
    void otherClusters() {
        TestPartition ours = newPartition();
        TestPartition theirs = new TestPartition(
                store(),
                new PartitionKey(newCluster(), ours.key().topicId(), ours.key().partition()));
        ours.put(Segments.started(0, 9));
        assertThat(history(theirs)).isEmpty();
        theirs.put(Segments.started(0, 9), Segments.started(10, 19));
        assertThat(history(theirs)).hasSize(2);
        assertThat(history(ours)).hasSize(1);
    }

    @Test
    @DisplayName("A retention of nothing keeps nothing, and the history goes on where it is kept again")
    void off() {
        TestPartition partition = newPartition();
        partition.put(Segments.started(0, 9));
        partition.through(keeping(Duration.ZERO)).put(Segments.started(10, 19), Segments.started(20, 29));
        partition.put(Segments.started(30, 39));
        assertThat(history(partition).stream().map(StateChange::version)).containsExactly(1L, 4L);
    }

    @Test
    @DisplayName("Whatever the pages' size, each change once and in order, also of commits with many")
    void pages() {
        TestPartition partition = newPartition();
        List<StateChange> expected = new ArrayList<>();
        for (int size : new int[] {1, 3, 1, 7, 2, 1}) {
            PartitionCommit commit = partition.next(LongStream.range(0, size)
                    .mapToObj(i -> Segments.started(i, i))
                    .toArray(SegmentRecord[]::new));
            partition.commit(commit);
            expected.addAll(commit.changes());
        }
        CatalogueListing listing = listing();
        for (int limit : new int[] {1, 2, 3, 4, 5, 7, 14, 15, 16, 1000}) {
            assertThat(history(listing, partition.key(), limit))
                    .as("pages of %s", limit)
                    .isEqualTo(expected);
        }
        Page<RecordedChange> first = listing.history(partition.key(), null, 6);
        PartitionCommit later = partition.next(Segments.started(50, 59));
        partition.commit(later);
        expected.addAll(later.changes());
        List<StateChange> seen = new ArrayList<>();
        Page<RecordedChange> page = first;
        while (true) {
            page.items()
                    .forEach(item ->
                            seen.add(((Found<RecordedChange>) item).value().change()));
            if (page.next() == null) {
                break;
            }
            page = listing.history(partition.key(), page.next(), 6);
        }
        assertThat(seen).as("with a commit between two pages").isEqualTo(expected);
    }

    @Test
    @DisplayName("More than a page can hold")
    void manyPages() {
        TestPartition partition = newPartition();
        partition.put(LongStream.range(0, CatalogueListing.MAX_PAGE + 200)
                .mapToObj(i -> Segments.started(i, i))
                .toArray(SegmentRecord[]::new));
        List<RecordedChange> all = new ArrayList<>();
        CatalogueListing listing = listing();
        String after = null;
        do {
            Page<RecordedChange> page = listing.history(partition.key(), after, Integer.MAX_VALUE);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(CatalogueListing.MAX_PAGE);
            page.items().forEach(item -> all.add(((Found<RecordedChange>) item).value()));
            after = page.next();
        } while (after != null);
        assertThat(all.stream().map(change -> change.change().version()))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, CatalogueListing.MAX_PAGE + 200L)
                        .boxed()
                        .toList());
    }

    @Test
    @DisplayName("What was never written has none")
    void empty() {
        assertThat(history(newPartition())).isEmpty();
    }

    @Test
    @DisplayName(
            "What is over is shown no more, and a purge removes it and nothing else, no more than its limit at once")
    void purge() {
        TestPartition partition = newPartition();
        TestPartition shortly = partition.through(keeping(Duration.ofSeconds(2)));
        for (int i = 0; i < 3; i++) {
            shortly.put(Segments.started(i, i));
        }
        partition.put(Segments.started(30, 39));
        PartitionHead head = partition.head();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(history(partition).stream().map(StateChange::version))
                        .containsExactly(4L));
        int due = harness().recordsExpireByThemselves() ? 0 : 3;
        CatalogueStore purger = open();
        assertThat(purger.purgeHistory(2)).isEqualTo(Math.min(due, 2));
        assertThat(purger.purgeHistory(2)).isEqualTo(Math.max(due - 2, 0));
        assertThat(purger.purgeHistory(2)).isZero();
        assertThat(history(partition).stream().map(StateChange::version)).containsExactly(4L);
        assertThat(partition.head()).isEqualTo(head);
        assertThat(partition.all()).hasSize(4);
    }

    @Test
    @DisplayName("How long a change is kept was settled when it was committed, not by who looks or purges")
    void settledWhenCommitted() {
        TestPartition partition = newPartition();
        partition.through(keeping(Duration.ofDays(365_000_000))).put(Segments.started(0, 9));
        keeping(Duration.ofMillis(1)).purgeHistory(1000);
        keeping(Duration.ZERO).purgeHistory(1000);
        assertThat(history(partition)).hasSize(1);
    }
}
