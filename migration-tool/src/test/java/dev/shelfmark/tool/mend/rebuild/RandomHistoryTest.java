package dev.shelfmark.tool.mend.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.tool.storage.layout.AivenLayout;
import dev.shelfmark.tool.storage.layout.LayoutSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is rebuilt from the bucket of a random history against what the catalogue had, field by field. The exceptions are those of docs/rebuild.md:
 * uploads that were whole but never reported and deletions that had only begun count as finished, times are the objects', versions
 * are new.
 */
final class RandomHistoryTest {

    private static final int STEPS = 40;

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    private static CatalogueStore store() {
        return new InMemoryCatalogueStore(
                new InMemoryCatalogueStore.Database(Clock.systemUTC()),
                new Retention(Duration.ofDays(1), Duration.ofDays(1)),
                StoreListener.NONE);
    }

    /** Counts what is planned. */
    private static final class Counter implements RebuildListener {
        private final Map<SegmentAction, Integer> counts = new EnumMap<>(SegmentAction.class);
        private final Set<UUID> noted = new HashSet<>();

        @Override
        public void listed(long objects) {}

        @Override
        public void read(long segments) {}

        @Override
        public void planned(String topic, PlannedSegment segment) {
            counts.merge(segment.action(), 1, Integer::sum);
            if (!segment.notes().isEmpty()) {
                noted.add(segment.found().name().segmentId());
            }
        }

        @Override
        public void notice(String line) {
            throw new AssertionError(line);
        }
    }

    private Counter rebuild(RandomHistory history, CatalogueStore into) {
        Counter counter = new Counter();
        new Rebuild(
                        new RebuildSettings(RandomHistory.CLUSTER, 4, 0, false, false, Instant.MAX, directory),
                        new AivenLayout().with(new LayoutSettings(history.customMetadata())),
                        new ClusterTopics(history.topics(), Set.of(), true, ClusterTopics.LogStarts.UNKNOWN),
                        into,
                        new CatalogueWriter(into, () -> {}),
                        counter)
                .run(history, () -> false);
        return counter;
    }

    private static PartitionHead read(
            RandomHistory history, CatalogueStore store, int partition, Map<UUID, SegmentRecord> rows) {
        return store.read(history.key(partition), new Selection.ChangedSince(0), row -> rows.put(row.segmentId(), row));
    }

    private static List<SegmentRecord> finished(Map<UUID, SegmentRecord> rows) {
        return rows.values().stream()
                .filter(row -> row.state() == SegmentState.COPY_SEGMENT_FINISHED)
                .sorted(Comparator.comparingLong(SegmentRecord::finishedVersion))
                .toList();
    }

    /** All but versions and the time of the last change. */
    private static List<Object> fields(SegmentRecord row) {
        List<Object> fields = new ArrayList<>(List.of(
                row.segmentId(),
                row.startOffset(),
                row.endOffset(),
                row.leaderEpochs(),
                row.maxTimestampMs(),
                row.sizeInBytes(),
                row.txnIndexEmpty(),
                row.brokerId()));
        fields.add(String.valueOf(
                row.customMetadata() == null ? null : row.customMetadata().hashCode()));
        return fields;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anEmptyCatalogueIsWhatItWas(long seed) {
        CatalogueStore original = store();
        RandomHistory history = new RandomHistory(seed, original).play(STEPS);
        CatalogueStore rebuilt = store();
        rebuild(history, rebuilt);
        for (int partition = 0; partition < 2; partition++) {
            Map<UUID, SegmentRecord> before = new HashMap<>();
            Map<UUID, SegmentRecord> after = new HashMap<>();
            PartitionHead headBefore = read(history, original, partition, before);
            PartitionHead headAfter = read(history, rebuilt, partition, after);
            List<List<Object>> expected =
                    finished(before).stream().map(RandomHistoryTest::fields).toList();
            List<List<Object>> found = finished(after).stream()
                    .filter(row -> !history.givenUpWhole.contains(row.segmentId())
                            && !history.deletionBegun.contains(row.segmentId()))
                    .map(RandomHistoryTest::fields)
                    .toList();
            assertThat(found)
                    .as("segments in the order in which they were finished")
                    .isEqualTo(expected);
            assertThat(after.keySet()).doesNotContainAnyElementsOf(history.gone);
            assertThat(after.values()).allMatch(row -> row.state() == SegmentState.COPY_SEGMENT_FINISHED);
            assertThat(headAfter.liveSegments()).isEqualTo(after.size());
            headAfter
                    .highestOffsets()
                    .forEach((epoch, highest) -> assertThat(
                                    headBefore.highestOffsets().get(epoch))
                            .as("of epoch %s", epoch)
                            .satisfiesAnyOf(
                                    known -> assertThat(known).isNotNull().isGreaterThanOrEqualTo(highest),
                                    known -> assertThat(givenUp(history, after, epoch))
                                            .isTrue()));
        }
        assertThat(rebuild(history, rebuilt).counts.keySet())
                .as("a second run")
                .doesNotContain(
                        SegmentAction.ADD, SegmentAction.FINISH, SegmentAction.CONTRADICTS, SegmentAction.CHANGED);
    }

    private static boolean givenUp(RandomHistory history, Map<UUID, SegmentRecord> rows, int epoch) {
        return history.givenUpWhole.stream()
                .map(rows::get)
                .anyMatch(row -> row != null && row.leaderEpochs().position(epoch) >= 0);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aCompleteCatalogueStaysAsItIs(long seed) {
        CatalogueStore original = store();
        RandomHistory history = new RandomHistory(seed, original).play(STEPS);
        Map<UUID, SegmentRecord> before = new HashMap<>();
        List<PartitionHead> heads = List.of(read(history, original, 0, before), read(history, original, 1, before));
        Counter counter = rebuild(history, original);
        Map<UUID, SegmentRecord> after = new HashMap<>();
        assertThat(List.of(read(history, original, 0, after), read(history, original, 1, after)))
                .isEqualTo(heads);
        assertThat(after).isEqualTo(before);
        assertThat(counter.counts.keySet()).isSubsetOf(SegmentAction.KEEP, SegmentAction.INCOMPLETE);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anOlderCatalogueGetsWhatItLacks(long seed) {
        CatalogueStore older = store();
        new RandomHistory(seed, older).play(STEPS / 2);
        CatalogueStore original = store();
        // The same seed; what follows of each partition is other, as its random numbers are.
        RandomHistory history = new RandomHistory(seed, original).play(STEPS / 2);
        Map<UUID, SegmentRecord> known = new HashMap<>();
        read(history, older, 0, known);
        read(history, older, 1, known);
        history.playOn(STEPS / 2);
        rebuild(history, older);
        for (int partition = 0; partition < 2; partition++) {
            Map<UUID, SegmentRecord> before = new HashMap<>();
            Map<UUID, SegmentRecord> after = new HashMap<>();
            read(history, original, partition, before);
            read(history, older, partition, after);
            assertThat(finished(after).stream().map(RandomHistoryTest::fields))
                    .containsAll(finished(before).stream()
                            .map(RandomHistoryTest::fields)
                            .toList());
            after.forEach((id, row) -> {
                SegmentRecord was = known.get(id);
                if (was != null && was.state() != SegmentState.COPY_SEGMENT_STARTED) {
                    assertThat(row).as("a row that was there").isEqualTo(was);
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void overlapsAreTold(long seed) {
        CatalogueStore original = store();
        RandomHistory history = new RandomHistory(seed, original).play(STEPS);
        CatalogueStore rebuilt = store();
        Counter counter = rebuild(history, rebuilt);
        Set<UUID> overlapping = new HashSet<>();
        for (int partition = 0; partition < 2; partition++) {
            Map<UUID, SegmentRecord> rows = new HashMap<>();
            read(history, rebuilt, partition, rows);
            for (SegmentRecord one : rows.values()) {
                for (SegmentRecord other : rows.values()) {
                    if (!one.segmentId().equals(other.segmentId())
                            && one.startOffset() <= other.endOffset()
                            && other.startOffset() <= one.endOffset()) {
                        overlapping.add(one.segmentId());
                    }
                }
            }
        }
        assertThat(counter.noted).isEqualTo(overlapping);
    }
}
