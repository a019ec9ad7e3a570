package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.compat.CommitAttempt.Outcome;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a store says while its server, or the way to it, is in trouble. */
@DisplayName("Faults: a failure is never an empty answer, and an unknown outcome is never called a known one")
public abstract class FaultsContract extends StoreContract {

    private static final Duration RECOVERY = Duration.ofSeconds(20);
    /** For a machine that is busy with other things. */
    private static final Duration SLACK = Duration.ofSeconds(2);
    /** More requests than any call needs: a sweep ends when its fault does not happen any more. */
    private static final int SWEEP = 25;

    protected FaultsContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private static Map<String, Consumer<Faults>> everyFault() {
        Map<String, Consumer<Faults>> faults = new LinkedHashMap<>();
        faults.put("refused", Faults::refuse);
        faults.put("cut while idle", Faults::cut);
        faults.put("cut before the request", faultsOf -> faultsOf.cutBeforeRequest(1));
        faults.put("answer swallowed", faultsOf -> faultsOf.swallowAnswer(1));
        faults.put("no answer", Faults::blackHole);
        faults.put("slow", faultsOf -> faultsOf.delay(Duration.ofMillis(20)));
        return faults;
    }

    /** The answers of a store, by the name of the call. */
    private static Map<String, Callable<Object>> everyRead(TestPartition partition) {
        CatalogueStore store = partition.store();
        Set<UUID> ids = Set.of(Snapshot.read(partition.store(), partition.key(), new Selection.All())
                .segments()
                .get(0)
                .segmentId());
        Map<String, Callable<Object>> reads = new LinkedHashMap<>();
        reads.put("cluster", () -> store.cluster(partition.key().clusterId()));
        for (Selection selection : List.of(
                new Selection.HeadOnly(),
                new Selection.All(),
                new Selection.ChangedSince(0),
                new Selection.ById(ids),
                new Selection.Holding(5),
                new Selection.WithTxnIndex(5, 3, null))) {
            reads.put(selection.getClass().getSimpleName(), () -> {
                Snapshot read = partition.read(selection);
                return List.of(read.head(), Set.copyOf(read.segments()));
            });
        }
        reads.put("verify", () -> {
            store.verify();
            return true;
        });
        return reads;
    }

    private static void recovers(CatalogueStore store, TestPartition partition) {
        Awaitility.await("the store works again without being opened again")
                .atMost(RECOVERY)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(StoreException.Unavailable.class::isInstance)
                .untilAsserted(() -> assertThat(partition.through(store).all()).isNotEmpty());
    }

    @TestFactory
    @DisplayName("Every read under every fault gives the right answer or Unavailable, in bounded time")
    Stream<DynamicTest> readsUnderFaults() {
        return everyFault().entrySet().stream()
                .map(fault -> DynamicTest.dynamicTest(fault.getKey(), () -> {
                    FaultyStore faulty = openFaulty();
                    TestPartition partition = newPartition();
                    partition.put(Segments.finished(0, 9), Segments.started(10, 19), Segments.finished(20, 29));
                    Map<String, Callable<Object>> reads = everyRead(partition.through(faulty.store()));
                    Map<String, Object> right = new LinkedHashMap<>();
                    for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
                        right.put(read.getKey(), read.getValue().call());
                    }
                    for (Map.Entry<String, Callable<Object>> read : reads.entrySet()) {
                        fault.getValue().accept(faulty.faults());
                        long start = System.nanoTime();
                        assertRightOrUnavailable(read.getKey(), read.getValue(), right.get(read.getKey()));
                        assertThat(Duration.ofNanos(System.nanoTime() - start))
                                .as(read.getKey())
                                .isLessThan(harness().callLimit().plus(SLACK));
                        faulty.faults().heal();
                        recovers(faulty.store(), partition);
                    }
                }));
    }

    private static void assertRightOrUnavailable(String call, Callable<Object> read, @Nullable Object right)
            throws Exception {
        Object answer;
        try {
            answer = read.call();
        } catch (StoreException.Unavailable expected) {
            return;
        }
        assertThat(answer).as(call).isEqualTo(right);
    }

    @Test
    @DisplayName("A read that is disturbed at any of its requests gives all of the right answer or Unavailable")
    void readsSwept() throws Exception {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        SegmentRecord[] many = new SegmentRecord[400];
        for (int i = 0; i < many.length; i++) {
            many[i] = Segments.finished(i, i);
        }
        Set<SegmentRecord> right = Set.copyOf(partition.put(many));
        TestPartition disturbed = partition.through(faulty.store());
        List<Consumer<Integer>> sweeps = List.of(faulty.faults()::cutBeforeRequest, faulty.faults()::swallowAnswer);
        for (Consumer<Integer> fault : sweeps) {
            int disturbances = 0;
            for (int request = 1; request <= SWEEP; request++) {
                recovers(faulty.store(), partition);
                fault.accept(request);
                assertRightOrUnavailable(
                        "All, disturbed at request " + request, () -> Set.copyOf(disturbed.all()), right);
                boolean happened = faulty.faults().happened();
                faulty.faults().heal();
                if (!happened) {
                    break;
                }
                disturbances++;
                assertThat(request).as("the sweep ends").isLessThan(SWEEP);
            }
            // Not failures: a store may send what was disturbed again and then answer right.
            assertThat(disturbances)
                    .as("disturbances, without which nothing was tested")
                    .isPositive();
        }
    }

    @Test
    @DisplayName("A read whose connection is cut while segments are handed over gives all of them or Unavailable")
    void cutInTheMiddle() {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        SegmentRecord[] many = new SegmentRecord[1_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = Segments.finished(i, i);
        }
        Set<SegmentRecord> right = Set.copyOf(partition.put(many));
        for (int at : new int[] {1, 50, 500}) {
            recovers(faulty.store(), partition);
            List<SegmentRecord> taken = new ArrayList<>();
            try {
                PartitionHead head = faulty.store().read(partition.key(), new Selection.All(), segment -> {
                    taken.add(segment);
                    if (taken.size() == at) {
                        faulty.faults().cut();
                    }
                });
                assertThat(head.liveSegments()).isEqualTo(many.length);
                assertThat(Set.copyOf(taken)).isEqualTo(right);
            } catch (StoreException.Unavailable e) {
                assertThat(taken.size()).isLessThanOrEqualTo(many.length);
            }
        }
    }

    @Test
    @DisplayName(
            "A store that is down at the start: Unavailable, and at work as soon as it is up, without being opened again")
    void downAtStart() {
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        FaultyStore faulty = openFaulty();
        faulty.faults().refuse();
        TestPartition disturbed = partition.through(faulty.store());
        assertThatThrownBy(() -> faulty.store().verify()).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(disturbed::all).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> faulty.store().cluster(partition.key().clusterId()))
                .isInstanceOf(StoreException.Unavailable.class);
        if (!harness().recordsExpireByThemselves()) {
            assertThatThrownBy(() -> faulty.store().purgeDeleted(partition.key().clusterId(), 1))
                    .isInstanceOf(StoreException.Unavailable.class);
        }
        CommitAttempt commit = CommitAttempt.of(disturbed, partition.next(Segments.finished(10, 19)));
        assertThat(commit.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(commit.applied(partition)).isFalse();
        faulty.faults().heal();
        recovers(faulty.store(), partition);
        faulty.store().verify();
        disturbed.put(Segments.finished(10, 19));
    }

    @Test
    @DisplayName(
            "A message names the partition or cluster that was asked for, or the server that cannot be connected to")
    void messages() {
        TestPartition partition = newPartition();
        FaultyStore faulty = openFaulty();
        faulty.faults().refuse();
        String topicId = TextualId.of(partition.key().topicId());
        TestPartition disturbed = partition.through(faulty.store());
        names(topicId, disturbed::all);
        names(topicId, () -> disturbed.commit(partition.next(Segments.finished(0, 9))));
        names("kafka-7", () -> faulty.store().cluster("kafka-7"));
    }

    private static void names(String subject, ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(failure -> assertThat(failure.getMessage()).containsAnyOf(subject, "cannot connect to "));
    }

    @Test
    @DisplayName("A connection lost before the commit: nothing is there when it says Unavailable, never a part of it")
    void cutBeforeCommit() {
        Set<Outcome> outcomes = sweepCommits(Faults::cutBeforeRequest, new CountingListener());
        assertThat(outcomes).containsAnyOf(Outcome.UNAVAILABLE, Outcome.UNKNOWN, Outcome.COMMITTED);
    }

    @Test
    @DisplayName(
            "An answer lost after the commit: OutcomeUnknown and the commit is there, or it was found out and confirmed")
    void answerSwallowed() {
        CountingListener listener = new CountingListener();
        Set<Outcome> outcomes = sweepCommits(Faults::swallowAnswer, listener);
        assertThat(outcomes.contains(Outcome.UNKNOWN) || listener.retries() > 0)
                .as("the answer to the commit itself was lost: told %s, %s retries", outcomes, listener.retries())
                .isTrue();
    }

    /** Disturbs a commit at each of its requests in turn; what the caller is told in the cases in which the fault happened. */
    private Set<Outcome> sweepCommits(ObjIntConsumer<Faults> fault, CountingListener listener) {
        FaultyStore faulty = openFaulty(listener);
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        int applied = 0;
        for (int request = 1; request <= SWEEP; request++) {
            recovers(faulty.store(), partition);
            CommitAttempt attempt = disturbed(faulty, partition, fault, request);
            boolean happened = faulty.faults().happened();
            faulty.faults().heal();
            applied += attempt.applied(partition) ? 1 : 0;
            if (!happened) {
                assertThat(attempt.outcome()).isEqualTo(Outcome.COMMITTED);
                break;
            }
            assertThat(request).as("the sweep ends").isLessThan(SWEEP);
            outcomes.add(attempt.outcome());
        }
        assertThat(outcomes).as("outcomes, without which nothing was tested").isNotEmpty();
        assertThat(applied).as("commits that are there").isPositive();
        assertThat(outcomes).as("a conflict that isn't one").doesNotContain(Outcome.CONFLICT);
        return outcomes;
    }

    private static CommitAttempt disturbed(
            FaultyStore faulty, TestPartition partition, ObjIntConsumer<Faults> fault, int request) {
        var commit =
                partition.next(Map.of(1, (long) request), Segments.finished(request, request), Segments.started(0, 1));
        fault.accept(faulty.faults(), request);
        return CommitAttempt.of(partition.through(faulty.store()), commit);
    }

    @Test
    @DisplayName("No answer at all: a commit ends in bounded time; what it says holds even when it is delivered late")
    void blackHole() {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        recovers(faulty.store(), partition);
        faulty.faults().blackHole();
        long start = System.nanoTime();
        CommitAttempt attempt = CommitAttempt.of(
                partition.through(faulty.store()),
                partition.next(Segments.finished(10, 19), Segments.finished(20, 29)));
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(harness().callLimit().plus(SLACK));
        assertThat(attempt.outcome()).isIn(Outcome.UNAVAILABLE, Outcome.UNKNOWN);
        attempt.applied(partition);
        faulty.faults().heal();
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> attempt.applied(partition));
        recovers(faulty.store(), partition);
        TestPartition healed = partition.through(faulty.store());
        healed.put(Segments.finished(30, 39));
    }

    @Test
    @DisplayName("A commit that may be applied a little later is fenced by the version: another one decides")
    void lateCommitIsFenced() {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        recovers(faulty.store(), partition);
        faulty.faults().blackHole();
        var late = partition.next(Segments.finished(10, 19));
        CommitAttempt attempt = CommitAttempt.of(partition.through(faulty.store()), late);
        assertThat(attempt.outcome()).isIn(Outcome.UNAVAILABLE, Outcome.UNKNOWN);
        SegmentRecord decided = partition.putOne(Segments.finished(10, 25));
        Snapshot after = partition.read(new Selection.All());
        faulty.faults().heal();
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> assertThat(partition.read(new Selection.All())).isEqualTo(after));
        assertThat(after.segments()).contains(decided).doesNotContainAnyElementsOf(late.segments());
    }

    @Test
    @DisplayName("Every call ends within the limits, however many wait at once")
    void manyCallsInAnOutage() throws Exception {
        FaultyStore faulty = openFaulty();
        TestPartition partition = newPartition();
        partition.put(Segments.finished(0, 9));
        TestPartition disturbed = partition.through(faulty.store());
        recovers(faulty.store(), partition);
        faulty.faults().blackHole();
        List<Duration> took = Together.run(24, () -> {
            long start = System.nanoTime();
            assertThatThrownBy(disturbed::all).isInstanceOf(StoreException.Unavailable.class);
            return Duration.ofNanos(System.nanoTime() - start);
        });
        assertThat(took)
                .allSatisfy(each ->
                        assertThat(each).isLessThan(harness().callLimit().plus(SLACK)));
        faulty.faults().heal();
        recovers(faulty.store(), partition);
    }
}
