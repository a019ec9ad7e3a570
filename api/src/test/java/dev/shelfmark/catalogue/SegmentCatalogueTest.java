package dev.shelfmark.catalogue;

import static dev.shelfmark.catalogue.Segments.PARTITION;
import static dev.shelfmark.catalogue.Segments.TOPIC;
import static dev.shelfmark.catalogue.Segments.add;
import static dev.shelfmark.catalogue.Segments.deletion;
import static dev.shelfmark.catalogue.Segments.finish;
import static dev.shelfmark.catalogue.Segments.id;
import static dev.shelfmark.catalogue.Segments.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.shelfmark.catalogue.WatchedStore.Fate;
import dev.shelfmark.catalogue.index.PartitionIndex;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentCatalogueTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final CatalogueSettings PATIENT =
            new CatalogueSettings(1_000_000, LONG, Duration.ZERO, LONG, Duration.ofSeconds(10));

    private final InMemoryCatalogueStore.Database database = WatchedStore.database();
    private final WatchedStore store = new WatchedStore(database, LONG);
    private final SegmentCatalogue broker = catalogue(store, PATIENT);
    private final SegmentCatalogue otherBroker = catalogue(new WatchedStore(database, LONG), PATIENT);

    private final Map<SegmentCatalogue, PartitionHandle> handles = new ConcurrentHashMap<>();

    private static SegmentCatalogue catalogue(WatchedStore store, CatalogueSettings settings) {
        return new SegmentCatalogue(store, settings, CatalogueListener.NONE, Runnable::run);
    }

    private static List<WriteOutcome> write(SegmentCatalogue catalogue, MetadataEvent... events) {
        return catalogue.write(PARTITION, TOPIC, List.of(events), Deadline.in(Duration.ofSeconds(5)));
    }

    /** As the plugin asks: by a handle that it keeps, and only then in the long way. */
    private Optional<UUID> lookup(SegmentCatalogue catalogue, int epoch, long offset) {
        PartitionHandle handle = handles.computeIfAbsent(catalogue, asked -> asked.handle(PARTITION));
        PartitionIndex held = catalogue.held(handle, System.nanoTime());
        return held != null
                ? held.lookup(
                        epoch,
                        offset,
                        (segments, position) -> segments.segment(position).segmentId())
                : catalogue.lookup(PARTITION, epoch, offset, SegmentRecord::segmentId);
    }

    private static List<UUID> list(SegmentCatalogue catalogue) {
        List<UUID> ids = new ArrayList<>();
        catalogue.list(PARTITION, SegmentRecord::segmentId).forEachRemaining(ids::add);
        return ids;
    }

    /** What the store is asked for while something runs. */
    private List<String> askedBy(Runnable action) {
        store.asked.clear();
        action.run();
        return List.copyOf(store.asked);
    }

    @Nested
    class A_led_partition {

        @BeforeEach
        void leads() {
            write(broker, add(1, 0, 9), finish(1), add(2, 10, 19));
            broker.leads(Set.of(PARTITION));
        }

        @Test
        void is_read_once_and_then_answered_from_memory() {
            assertThat(askedBy(() -> list(broker))).containsExactly("All");

            assertThat(askedBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            assertThat(lookup(broker, 0, 5)).contains(id(1));
                            assertThat(lookup(broker, 0, 15)).isEmpty();
                            assertThat(list(broker)).containsExactly(id(1), id(2));
                            assertThat(broker.highestOffset(PARTITION, 0)).contains(9L);
                            assertThat(broker.nextWithTxnIndex(PARTITION, 0, 0, SegmentRecord::segmentId))
                                    .contains(id(1));
                            assertThat(broker.sizeInBytes(PARTITION, 0)).isEqualTo(203);
                        }
                    }))
                    .isEmpty();
        }

        @Test
        void answers_its_first_lookup_without_waiting_for_the_whole() {
            assertThat(askedBy(() -> assertThat(lookup(broker, 0, 5)).contains(id(1))))
                    .containsExactly("Holding", "All");
            assertThat(askedBy(() -> lookup(broker, 0, 5))).isEmpty();
        }

        @Test
        void is_not_read_ahead_of_need_when_it_would_push_others_out() {
            SegmentCatalogue small =
                    catalogue(store, new CatalogueSettings(1, LONG, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            small.leads(Set.of(PARTITION));
            for (int i = 0; i < 2; i++) {
                assertThat(askedBy(() -> assertThat(lookup(small, 0, 5)).contains(id(1))))
                        .containsExactly("Holding");
            }
        }

        @Test
        void is_answered_although_nothing_can_be_done_in_the_background() {
            AtomicBoolean ends = new AtomicBoolean();
            SegmentCatalogue hurried = new SegmentCatalogue(
                    store,
                    new CatalogueSettings(1_000_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)),
                    CatalogueListener.NONE,
                    task -> {
                        if (!ends.get()) {
                            throw new LinkageError("no thread for it");
                        }
                        task.run();
                    });
            PartitionKey other = new PartitionKey("cluster-a", new UUID(1, 2), 4);
            hurried.leads(Set.of(PARTITION, other));
            for (int i = 0; i < 2; i++) {
                assertThat(askedBy(() -> assertThat(hurried.lookup(PARTITION, 0, 5, SegmentRecord::segmentId))
                                .contains(id(1))))
                        .containsExactly("Holding");
            }
            list(hurried);
            hurried.list(other, Function.identity());
            store.down = true;
            assertThat(list(hurried)).containsExactly(id(1), id(2));
            store.down = false;

            ends.set(true);
            hurried.forget();
            assertThat(askedBy(() -> lookup(hurried, 0, 5))).containsExactly("Holding", "All");
        }

        @Test
        void shows_its_own_writes_at_once_without_reading() {
            list(broker);

            assertThat(askedBy(() -> write(broker, finish(2)))).containsExactly("commit of 1");
            assertThat(askedBy(() -> {
                        assertThat(lookup(broker, 0, 15)).contains(id(2));
                        assertThat(broker.highestOffset(PARTITION, 0)).contains(19L);
                    }))
                    .isEmpty();
        }

        @Test
        void follows_what_others_changed_and_no_more_than_that() {
            SegmentCatalogue strict = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            strict.leads(Set.of(PARTITION));
            list(strict);

            write(otherBroker, finish(2));
            write(otherBroker, to(1, SegmentState.DELETE_SEGMENT_STARTED), to(1, SegmentState.DELETE_SEGMENT_FINISHED));

            assertThat(askedBy(() -> assertThat(list(strict)).containsExactly(id(2))))
                    .containsExactly("ChangedSince");
            assertThat(lookup(strict, 0, 5)).isEmpty();
            assertThat(lookup(strict, 0, 15)).contains(id(2));
        }

        @Test
        void is_looked_at_anew_when_it_is_led_again() {
            list(broker);
            write(otherBroker, finish(2));

            broker.leads(Set.of(PARTITION));

            assertThat(askedBy(() -> assertThat(lookup(broker, 0, 15)).contains(id(2))))
                    .containsExactly("ChangedSince");
        }

        @Test
        void is_read_anew_when_a_deletion_came_and_was_purged_between_two_looks() {
            WatchedStore forgetful = new WatchedStore(database, Duration.ofMillis(-1));
            list(broker);
            deletion(1).forEach(event -> write(otherBroker, event));
            assertThat(forgetful.purgeDeleted(PARTITION.clusterId(), 10)).isEqualTo(1);

            broker.leads(Set.of(PARTITION));

            assertThat(askedBy(() -> assertThat(list(broker)).containsExactly(id(2))))
                    .containsExactly("ChangedSince", "All");
        }

        @Test
        void is_not_pieced_together_from_a_load_that_was_cut_short() {
            WatchedStore forgetful = new WatchedStore(database, Duration.ofMillis(-1));
            write(broker, add(3, 20, 29));
            list(broker);
            forget(forgetful, 3);
            store.beforeNextSegment = () -> {
                throw new StoreException.Unavailable("cut", null);
            };
            broker.leads(Set.of(PARTITION));
            assertUnanswered(broker);
            store.beforeNextSegment = () -> {};

            // As many are gone as were not read: to count them tells nothing.
            forget(forgetful, 1);

            assertThat(list(broker)).containsExactly(id(2));
        }

        private void forget(WatchedStore forgetful, int segment) {
            deletion(segment).forEach(event -> write(otherBroker, event));
            assertThat(forgetful.purgeDeleted(PARTITION.clusterId(), 10)).isEqualTo(1);
        }

        @Test
        void goes_on_from_memory_while_the_store_is_down() {
            list(broker);
            SegmentCatalogue hasty = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            hasty.leads(Set.of(PARTITION));
            list(hasty);
            store.down = true;

            assertThat(lookup(hasty, 0, 5)).contains(id(1));
            assertThat(list(hasty)).containsExactly(id(1), id(2));
        }

        @Test
        void is_looked_at_although_another_one_can_not_be_read() {
            PartitionKey damaged = new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 99);
            otherBroker.write(damaged, TOPIC, List.of(add(1, 0, 9)), Deadline.in(Duration.ofSeconds(5)));
            WatchedStore half = new WatchedStore(database, LONG) {
                @Override
                public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
                    if (key.equals(damaged) && selection instanceof Selection.All) {
                        throw new StoreException.Corrupt("a row contradicts itself", null);
                    }
                    return super.read(key, selection, segments);
                }
            };
            SegmentCatalogue fresh = catalogue(
                    half, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            fresh.leads(Set.of(PARTITION, damaged));
            assertThat(list(fresh)).containsExactly(id(1), id(2));
            write(otherBroker, add(3, 20, 29));

            fresh.lookup(damaged, 0, 5, SegmentRecord::segmentId);

            assertThat(list(fresh)).containsExactly(id(1), id(2), id(3));
        }

        /** As when its last commit is visible in part only, or its key is throttled. */
        @Test
        void is_looked_at_although_another_one_is_not_available() {
            PartitionKey hot = new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 99);
            AtomicBoolean throttled = new AtomicBoolean();
            WatchedStore half = new WatchedStore(database, LONG) {
                @Override
                public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
                    if (key.equals(hot) && throttled.get()) {
                        throw new StoreException.Unavailable("throttled", null);
                    }
                    return super.read(key, selection, segments);
                }
            };
            SegmentCatalogue fresh = bothHeld(half, hot);
            throttled.set(true);
            write(otherBroker, add(3, 20, 29));

            assertThat(count(fresh, hot)).as("answered from memory").isOne();
            assertThat(list(fresh)).containsExactly(id(1), id(2), id(3));
            int asked = half.asked.size();
            assertThat(count(fresh, hot)).isOne();
            assertThat(half.asked).as("not tried again at once").hasSize(asked);
        }

        @Test
        void is_looked_at_although_another_one_is_read_slowly() throws Exception {
            PartitionKey large = new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 99);
            AtomicBoolean slow = new AtomicBoolean();
            CountDownLatch reading = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            WatchedStore half = new WatchedStore(database, LONG) {
                @Override
                public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
                    if (key.equals(large) && slow.get()) {
                        reading.countDown();
                        try {
                            assertThat(go.await(10, TimeUnit.SECONDS)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    return super.read(key, selection, segments);
                }
            };
            SegmentCatalogue fresh = bothHeld(half, large);
            slow.set(true);
            CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> count(fresh, large));
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
            write(otherBroker, add(3, 20, 29));

            assertThat(count(fresh, large)).as("answered from memory").isOne();
            assertThat(list(fresh)).containsExactly(id(1), id(2), id(3));
            go.countDown();
            assertThat(reader.get(10, TimeUnit.SECONDS)).isOne();
        }

        /** As in a network that swallows everything: the first to find out spares the others the wait. */
        @Test
        void is_answered_from_memory_at_once_when_another_one_has_found_that_the_store_is_silent() throws Exception {
            PartitionKey other = new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 99);
            CountDownLatch reading = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            SegmentCatalogue fresh = bothHeld(store, other, task -> new Thread(task).start());
            store.beforeRead = () -> {
                reading.countDown();
                try {
                    assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
            CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> count(fresh, other));
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(count(fresh, other)).isOne();

            CompletableFuture<List<UUID>> spared = CompletableFuture.supplyAsync(() -> list(fresh));
            assertThat(spared.get(10, TimeUnit.SECONDS)).containsExactly(id(1), id(2));
            end.countDown();
            assertThat(reader.get(10, TimeUnit.SECONDS)).isOne();
        }

        /** A broker that looks each time, with both partitions in memory. */
        private SegmentCatalogue bothHeld(WatchedStore half, PartitionKey other) {
            return bothHeld(half, other, Runnable::run);
        }

        private SegmentCatalogue bothHeld(WatchedStore half, PartitionKey other, Executor background) {
            otherBroker.write(other, TOPIC, List.of(add(1, 0, 9)), Deadline.in(Duration.ofSeconds(5)));
            SegmentCatalogue fresh = new SegmentCatalogue(
                    half,
                    new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)),
                    CatalogueListener.NONE,
                    background);
            fresh.leads(Set.of(PARTITION, other));
            assertThat(list(fresh)).containsExactly(id(1), id(2));
            assertThat(count(fresh, other)).isOne();
            return fresh;
        }

        private static long count(SegmentCatalogue catalogue, PartitionKey key) {
            long count = 0;
            for (Iterator<UUID> each = catalogue.list(key, SegmentRecord::segmentId); each.hasNext(); each.next()) {
                count++;
            }
            return count;
        }

        @Test
        void is_looked_at_although_a_reader_of_another_one_was_interrupted() throws Exception {
            PartitionKey other = new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 99);
            SegmentCatalogue fresh = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            fresh.leads(Set.of(PARTITION, other));
            assertThat(list(fresh)).containsExactly(id(1), id(2));
            write(otherBroker, add(3, 20, 29));

            CompletableFuture<Throwable> told = new CompletableFuture<>();
            Thread cancelled = new Thread(() -> {
                Thread.currentThread().interrupt();
                told.complete(catchThrowable(() -> fresh.list(other, SegmentRecord::segmentId)));
            });
            cancelled.start();
            assertThat(told.get(10, TimeUnit.SECONDS)).isInstanceOf(StoreException.class);

            assertThat(list(fresh)).containsExactly(id(1), id(2), id(3));
        }

        @Test
        void is_not_answered_from_memory_beyond_the_limit_of_an_outage() {
            SegmentCatalogue strict = catalogue(
                    store,
                    new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
            strict.leads(Set.of(PARTITION));
            list(strict);
            store.down = true;

            assertUnanswered(strict);
        }

        @Test
        void is_not_answered_from_what_was_read_before_it_was_led() {
            list(broker);
            broker.leads(Set.of(PARTITION));
            store.down = true;

            assertUnanswered(broker);
        }

        @Test
        void is_not_answered_from_memory_after_a_commit_whose_outcome_is_unknown() {
            list(broker);
            store.fates.add(Fate.ANSWER_LOST);
            store.beforeCommit = () -> store.beforeRead = () -> store.down = true;
            assertThatThrownBy(() ->
                            broker.write(PARTITION, TOPIC, List.of(finish(2)), Deadline.in(Duration.ofMillis(50))))
                    .isInstanceOf(StoreException.class);

            assertUnanswered(broker);
        }

        @Test
        void is_not_answered_from_memory_after_a_commit_that_failed_for_no_reason_of_the_stores() {
            list(broker);
            store.afterCommit = () -> {
                throw new LinkageError("nothing that the store knows of");
            };
            assertThat(catchThrowable(() -> write(broker, finish(2)))).isInstanceOf(LinkageError.class);

            store.down = true;
            assertUnanswered(broker);
            store.down = false;
            assertThat(lookup(broker, 0, 15)).contains(id(2));
        }

        @Test
        void shows_what_is_found_done_although_it_was_being_read_when_the_lost_commit_arrived() throws Exception {
            CountDownLatch half = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            store.beforeNextSegment = () -> {
                half.countDown();
                await(goOn);
            };
            Thread writer = Thread.currentThread();
            List<CompletableFuture<List<UUID>>> loads = new ArrayList<>();
            boolean[] decided = new boolean[1];
            store.beforeRead = () -> {
                if (Thread.currentThread() == writer) {
                    if (decided[0]) {
                        loads.add(CompletableFuture.supplyAsync(() -> list(broker)));
                        await(half);
                        // The commit that was lost on its way: it arrives, as it was sent.
                        write(otherBroker, finish(2));
                    }
                    decided[0] = true;
                }
            };
            store.fates.add(Fate.LOST_ON_THE_WAY);
            assertThat(write(broker, finish(2))).containsExactly(new WriteOutcome.Done(true));
            goOn.countDown();
            assertThat(loads).hasSize(1);
            loads.get(0).get(10, TimeUnit.SECONDS);

            assertThat(lookup(broker, 0, 15)).contains(id(2));
        }

        @Test
        void is_read_anew_when_what_others_changed_could_not_be_brought_in() throws Exception {
            LeaderEpochs epochs = LeaderEpochs.of(0, 20L);
            list(broker);
            write(otherBroker, new MetadataEvent.AddSegment(Segments.segment(3, 20, 29, epochs)));
            failsBecauseOf(epochs, () -> {
                broker.leads(Set.of(PARTITION));
                list(broker);
            });

            assertThat(list(broker)).containsExactly(id(1), id(2), id(3));
            assertThat(lookup(broker, 0, 5)).contains(id(1));
        }

        @Test
        void is_read_anew_when_its_own_commit_could_not_be_brought_in() throws Exception {
            LeaderEpochs epochs = LeaderEpochs.of(0, 20L);
            list(broker);
            failsBecauseOf(
                    epochs, () -> write(broker, new MetadataEvent.AddSegment(Segments.segment(3, 20, 29, epochs))));

            assertThat(list(broker)).containsExactly(id(1), id(2), id(3));
            write(broker, finish(2));
            assertThat(list(broker)).containsExactly(id(1), id(2), id(3));
            assertThat(lookup(broker, 0, 5)).contains(id(1));
        }

        /** Stands for a moment without memory while an index is made: whoever looks at the epochs meanwhile fails. */
        private void failsBecauseOf(LeaderEpochs epochs, Runnable action) throws ReflectiveOperationException {
            Field field = LeaderEpochs.class.getDeclaredField("epochs");
            field.setAccessible(true);
            Object right = field.get(epochs);
            field.set(epochs, new int[0]);
            assertThat(catchThrowable(action::run)).isInstanceOf(ArrayIndexOutOfBoundsException.class);
            field.set(epochs, right);
        }

        @Test
        void is_answered_from_memory_while_a_copy_may_have_begun_or_not() {
            list(broker);
            store.fates.add(Fate.ANSWER_LOST);
            store.beforeCommit = () -> store.beforeRead = () -> store.down = true;
            assertThatThrownBy(() ->
                            broker.write(PARTITION, TOPIC, List.of(add(7, 70, 79)), Deadline.in(Duration.ofMillis(50))))
                    .isInstanceOf(StoreException.class);

            assertThat(lookup(broker, 0, 5)).contains(id(1));
        }

        @Test
        void shows_a_copy_that_began_although_the_answer_was_lost() {
            list(broker);
            store.fates.add(Fate.ANSWER_LOST);

            assertThat(write(broker, add(7, 70, 79))).hasOnlyElementsOfType(WriteOutcome.Done.class);
            assertThat(list(broker)).containsExactly(id(1), id(2), id(7));
        }

        @Test
        void is_not_answered_from_memory_when_that_copy_may_have_finished_too() {
            list(broker);
            store.fates.add(Fate.ANSWER_LOST);
            store.beforeCommit = () -> store.beforeRead = () -> store.down = true;
            assertThatThrownBy(() -> broker.write(
                            PARTITION, TOPIC, List.of(add(7, 70, 79), finish(7)), Deadline.in(Duration.ofMillis(50))))
                    .isInstanceOf(StoreException.class);

            assertUnanswered(broker);
        }

        @Test
        void takes_a_new_segment_without_a_look_and_finds_out_that_it_was_deleted() {
            write(
                    broker,
                    finish(2),
                    to(2, SegmentState.DELETE_SEGMENT_STARTED),
                    to(2, SegmentState.DELETE_SEGMENT_FINISHED));
            list(broker);

            assertThat(askedBy(() ->
                            assertThat(write(broker, add(7, 70, 79))).containsExactly(new WriteOutcome.Done(true))))
                    .containsExactly("commit of 1");
            assertThat(askedBy(() -> assertThat(write(broker, add(2, 10, 19)))
                            .doesNotHaveAnyElementsOfTypes(WriteOutcome.Done.class)))
                    .containsExactly("commit of 1", "ById");
            assertThat(list(broker)).containsExactly(id(1), id(7));
        }

        @Test
        void fails_when_the_store_went_back_in_time() {
            SegmentCatalogue strict = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            strict.leads(Set.of(PARTITION));
            list(strict);

            store.reference = new WatchedStore(WatchedStore.database(), LONG);

            assertThatThrownBy(() -> list(strict))
                    .isInstanceOf(StoreException.Corrupt.class)
                    .hasMessageContaining("went back from version 3 to 0")
                    .hasMessageContaining("restoring");
        }

        @Test
        void goes_on_failing_when_the_store_that_went_back_has_caught_up() {
            SegmentCatalogue strict = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            strict.leads(Set.of(PARTITION));
            list(strict);

            InMemoryCatalogueStore.Database restored = WatchedStore.database();
            store.reference = new WatchedStore(restored, LONG);
            assertThatThrownBy(() -> list(strict)).isInstanceOf(StoreException.Corrupt.class);
            write(catalogue(new WatchedStore(restored, LONG), PATIENT), add(5, 0, 9), finish(5), add(6, 10, 19));

            assertThatThrownBy(() -> list(strict))
                    .isInstanceOf(StoreException.Corrupt.class)
                    .hasMessageContaining("went back from version 3 to 0");
            strict.forget();
            assertThat(list(strict)).containsExactly(id(5), id(6));
        }

        @Test
        void fails_when_its_own_writes_find_that_the_store_went_back() {
            SegmentCatalogue strict = catalogue(
                    store, new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, LONG, Duration.ofSeconds(10)));
            strict.leads(Set.of(PARTITION));
            list(strict);

            store.reference = new WatchedStore(WatchedStore.database(), LONG);
            write(strict, add(5, 20, 29));
            write(strict, finish(5));
            write(strict, add(6, 30, 39));

            assertThatThrownBy(() -> list(strict))
                    .isInstanceOf(StoreException.Corrupt.class)
                    .hasMessageContaining("went back from version 3 to 0");
        }
    }

    @Nested
    class A_partition_that_is_not_led {

        @Test
        void is_answered_from_the_store_each_time_without_reading_the_whole() {
            write(otherBroker, add(1, 0, 9), finish(1));

            assertThat(askedBy(() -> {
                        assertThat(lookup(broker, 0, 5)).contains(id(1));
                        assertThat(broker.highestOffset(PARTITION, 0)).contains(9L);
                        assertThat(broker.nextWithTxnIndex(PARTITION, 0, 0, SegmentRecord::segmentId))
                                .contains(id(1));
                    }))
                    .containsExactly("Holding", "HeadOnly", "WithTxnIndex");
        }

        @Test
        void shows_what_another_broker_committed_at_once_even_with_the_index_in_memory() {
            write(otherBroker, add(1, 0, 9), finish(1));
            list(broker);

            write(otherBroker, add(2, 10, 19), finish(2));

            assertThat(askedBy(() -> assertThat(lookup(broker, 0, 15)).contains(id(2))))
                    .containsExactly("ChangedSince");
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void is_never_answered_while_the_store_is_down(boolean held) {
            write(broker, add(1, 0, 9), finish(1));
            if (held) {
                list(broker);
            }
            store.down = true;

            assertUnanswered(broker);
        }

        @Test
        void finds_a_transaction_index_beyond_many_segments_without_one_in_few_pages() {
            List<MetadataEvent> events = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                events.add(add(i, i * 10L, i * 10L + 9, Map.of(i < 299 ? 0 : 1, i * 10L)));
                events.add(finish(i));
            }
            write(broker, events.toArray(new MetadataEvent[0]));

            assertThat(askedBy(() -> assertThat(broker.nextWithTxnIndex(PARTITION, 1, 0, SegmentRecord::segmentId))
                            .contains(id(299))))
                    .hasSize(5)
                    .containsOnly("WithTxnIndex");
            assertThat(broker.nextWithTxnIndex(PARTITION, 2, 0, SegmentRecord::segmentId))
                    .isEmpty();
        }

        @Test
        void is_not_walked_to_its_end_for_a_transaction_index_of_an_epoch_that_ends_early() {
            List<MetadataEvent> events = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                int epoch = i < 10 ? 0 : 2;
                events.add(add(i, i * 10L, i * 10L + 9, Map.of(epoch, i * 10L)));
                events.add(finish(i));
            }
            write(broker, events.toArray(new MetadataEvent[0]));

            assertThat(askedBy(() -> {
                        assertThat(broker.nextWithTxnIndex(PARTITION, 0, 95, SegmentRecord::segmentId))
                                .contains(id(9));
                        assertThat(broker.nextWithTxnIndex(PARTITION, 0, 100, SegmentRecord::segmentId))
                                .isEmpty();
                        assertThat(broker.nextWithTxnIndex(PARTITION, 1, 100, SegmentRecord::segmentId))
                                .isEmpty();
                        assertThat(broker.nextWithTxnIndex(PARTITION, 2, 100, SegmentRecord::segmentId))
                                .contains(id(10));
                    }))
                    .hasSize(4)
                    .containsOnly("WithTxnIndex");
        }
    }

    @Nested
    class A_write {

        @Test
        void is_applied_once_whatever_becomes_of_the_answer() {
            for (Fate fate : Fate.values()) {
                for (boolean held : new boolean[] {false, true}) {
                    PartitionKey key = new PartitionKey("cluster-" + fate, new UUID(7, 7), held ? 1 : 0);
                    if (held) {
                        broker.leads(Set.of(key));
                        broker.list(key, Function.identity());
                    }
                    broker.write(key, TOPIC, List.of(add(1, 0, 9)), Deadline.in(Duration.ofSeconds(5)));
                    store.fates.add(fate);

                    assertThat(broker.write(key, TOPIC, List.of(finish(1)), Deadline.in(Duration.ofSeconds(5))))
                            .hasOnlyElementsOfType(WriteOutcome.Done.class);

                    assertThat(store.fates).isEmpty();
                    assertThat(broker.lookup(key, 0, 5, SegmentRecord::version)).contains(2L);
                    assertThat(store.reference.read(key, new Selection.HeadOnly(), segment -> {}))
                            .isEqualTo(head(2, 1, 9, Map.of(0, 9L)));
                }
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void of_several_steps_of_a_segment_is_found_done_when_its_answer_was_lost(boolean held) {
            if (held) {
                broker.leads(Set.of(PARTITION));
                list(broker);
            }
            store.fates.add(Fate.ANSWER_LOST);

            assertThat(write(broker, add(1, 0, 9), finish(1))).hasOnlyElementsOfType(WriteOutcome.Done.class);

            assertThat(store.fates).isEmpty();
            assertThat(list(broker)).containsExactly(id(1));
            assertThat(broker.lookup(PARTITION, 0, 5, SegmentRecord::version)).contains(2L);
        }

        @Test
        void of_several_steps_of_a_partitions_deletion_is_found_done_when_its_answer_was_lost() {
            store.fates.add(Fate.ANSWER_LOST);

            assertThat(write(
                            broker,
                            deletePartition(PartitionDeletion.DELETE_PARTITION_MARKED),
                            deletePartition(PartitionDeletion.DELETE_PARTITION_STARTED)))
                    .containsExactly(new WriteOutcome.Done(true), new WriteOutcome.Done(true));
            assertThat(store.fates).isEmpty();
        }

        private static MetadataEvent deletePartition(PartitionDeletion state) {
            return new MetadataEvent.DeletePartition(state, 1, 1);
        }

        @Test
        void decides_again_when_another_broker_was_first() {
            write(broker, add(1, 0, 9));
            broker.leads(Set.of(PARTITION));
            list(broker);
            store.beforeCommit = () -> {
                store.beforeCommit = () -> {};
                write(otherBroker, to(1, SegmentState.DELETE_SEGMENT_STARTED));
            };

            assertThat(write(broker, finish(1))).hasOnlyElementsOfType(WriteOutcome.Refused.class);
            assertThat(lookup(broker, 0, 5)).isEmpty();
        }

        @Test
        void that_memory_would_refuse_is_decided_on_what_the_store_says() {
            broker.leads(Set.of(PARTITION));
            list(broker);
            write(otherBroker, add(1, 0, 9));

            assertThat(write(broker, finish(1))).containsExactly(new WriteOutcome.Done(true));
            assertThat(lookup(broker, 0, 5)).contains(id(1));
        }

        @Test
        void of_many_events_goes_in_few_commits_and_keeps_their_order() {
            List<MetadataEvent> events = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                events.add(add(i, 0, 9));
                events.add(finish(i));
            }

            assertThat(askedBy(() -> write(broker, events.toArray(new MetadataEvent[0]))))
                    .containsExactly("ById", "commit of 50", "ById", "commit of 50", "ById", "commit of 50");
            assertThat(lookup(broker, 0, 5)).contains(id(149));
        }

        @Test
        void never_brings_a_deleted_segment_back() {
            write(broker, add(1, 0, 9), finish(1));
            deletion(1).forEach(event -> write(broker, event));
            broker.leads(Set.of(PARTITION));
            list(broker);

            assertThat(write(broker, add(1, 0, 9))).hasOnlyElementsOfType(WriteOutcome.Refused.class);
            assertThat(write(broker, to(1, SegmentState.DELETE_SEGMENT_STARTED)))
                    .hasOnlyElementsOfType(WriteOutcome.Ignored.class);
            assertThat(list(broker)).isEmpty();
            assertThat(broker.highestOffset(PARTITION, 0)).contains(9L);
        }

        @Test
        void gives_up_at_its_deadline() {
            store.down = true;

            assertThatThrownBy(() ->
                            broker.write(PARTITION, TOPIC, List.of(add(1, 0, 9)), Deadline.in(Duration.ofMillis(80))))
                    .isInstanceOf(StoreException.Unavailable.class);
        }
    }

    @Nested
    class Highest_offsets {

        @Test
        void count_each_epoch_to_its_end_and_survive_deletion() {
            write(broker, add(1, 0, 100, Map.of(0, 0L, 1, 50L, 2, 80L)));
            assertThat(broker.highestOffset(PARTITION, 2)).isEmpty();

            write(broker, finish(1));
            deletion(1).forEach(event -> write(broker, event));

            assertThat(broker.highestOffset(PARTITION, 0)).contains(49L);
            assertThat(broker.highestOffset(PARTITION, 1)).contains(79L);
            assertThat(broker.highestOffset(PARTITION, 2)).contains(100L);
            assertThat(broker.highestOffset(PARTITION, 3)).isEmpty();
        }

        @Test
        void are_never_lowered() {
            write(broker, add(1, 0, 100), finish(1), add(2, 0, 50), finish(2));

            assertThat(broker.highestOffset(PARTITION, 0)).contains(100L);
        }
    }

    @Nested
    class The_deletion_of_a_partition {

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void ends_all_answers_when_it_is_finished_and_not_before(boolean led) {
            write(broker, add(1, 0, 9), finish(1));
            if (led) {
                broker.leads(Set.of(PARTITION));
                list(broker);
            }
            write(broker, new MetadataEvent.DeletePartition(PartitionDeletion.DELETE_PARTITION_MARKED, 1, 1_000));
            write(broker, new MetadataEvent.DeletePartition(PartitionDeletion.DELETE_PARTITION_STARTED, 1, 1_000));
            assertThat(lookup(broker, 0, 5)).contains(id(1));

            write(broker, new MetadataEvent.DeletePartition(PartitionDeletion.DELETE_PARTITION_FINISHED, 1, 1_000));

            assertThatThrownBy(() -> lookup(broker, 0, 5)).isInstanceOf(CatalogueException.PartitionDeleted.class);
            assertThatThrownBy(() -> list(broker)).isInstanceOf(CatalogueException.PartitionDeleted.class);
            assertThat(write(broker, add(2, 10, 19))).hasOnlyElementsOfType(WriteOutcome.Refused.class);
        }

        @ParameterizedTest
        @EnumSource(names = {"DELETE_PARTITION_STARTED", "DELETE_PARTITION_FINISHED"})
        void goes_step_by_step(PartitionDeletion skipping) {
            assertThat(write(broker, new MetadataEvent.DeletePartition(skipping, 1, 1_000)))
                    .hasOnlyElementsOfType(WriteOutcome.Refused.class);
        }
    }

    @Test
    void fifty_readers_load_a_partition_once() throws Exception {
        write(broker, add(1, 0, 9), finish(1));
        broker.leads(Set.of(PARTITION));
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        store.beforeRead = () -> {
            loading.countDown();
            try {
                assertThat(go.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        store.asked.clear();
        ExecutorService readers = Executors.newFixedThreadPool(50);
        try {
            List<Future<List<UUID>>> lists = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                lists.add(readers.submit(() -> list(broker)));
            }
            assertThat(loading.await(10, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            for (Future<List<UUID>> each : lists) {
                assertThat(each.get(10, TimeUnit.SECONDS)).containsExactly(id(1));
            }
        } finally {
            readers.shutdownNow();
        }
        assertThat(store.asked).containsExactly("All");
    }

    @Test
    void a_reader_is_not_kept_waiting_for_ever_by_another() throws Exception {
        write(broker, add(1, 0, 9), finish(1));
        SegmentCatalogue impatient = catalogue(
                store,
                new CatalogueSettings(1_000, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(50)));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        store.beforeRead = () -> {
            reading.countDown();
            try {
                assertThat(go.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        CompletableFuture<List<UUID>> slow = CompletableFuture.supplyAsync(() -> list(impatient));
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> list(impatient)).isInstanceOf(CatalogueException.TimedOut.class);

        go.countDown();
        assertThat(slow.get(10, TimeUnit.SECONDS)).containsExactly(id(1));
    }

    @Test
    void what_is_held_stays_within_its_bound() {
        SegmentCatalogue small =
                catalogue(store, new CatalogueSettings(1_000, LONG, Duration.ZERO, LONG, Duration.ofSeconds(10)));
        for (int partition = 0; partition < 20; partition++) {
            PartitionKey key = new PartitionKey("c", new UUID(9, 9), partition);
            small.leads(Set.of(key));
            List<MetadataEvent> events = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                events.add(add(i, i * 10L, i * 10L + 9));
            }
            small.write(key, TOPIC, events, Deadline.in(Duration.ofSeconds(10)));
            Iterator<SegmentRecord> all = small.list(key, Function.identity());
            int seen = 0;
            for (; all.hasNext(); all.next()) {
                seen++;
            }
            assertThat(seen).isEqualTo(300);
            assertThat(small.cachedSegments()).isLessThanOrEqualTo(1_000);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void assertUnanswered(SegmentCatalogue catalogue) {
        assertThatThrownBy(() -> lookup(catalogue, 0, 5)).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> list(catalogue)).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> catalogue.list(PARTITION, 0, Function.identity()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> catalogue.highestOffset(PARTITION, 0)).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> catalogue.nextWithTxnIndex(PARTITION, 0, 0, Function.identity()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> catalogue.sizeInBytes(PARTITION, 0)).isInstanceOf(StoreException.Unavailable.class);
    }

    private static PartitionHead head(long version, long live, long span, Map<Integer, Long> highest) {
        return new PartitionHead(version, TOPIC, live, span, PartitionDeletion.NONE, new TreeMap<>(highest));
    }
}
