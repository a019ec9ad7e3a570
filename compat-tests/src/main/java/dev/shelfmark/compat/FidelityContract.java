package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is written comes back as it was, every field of it. */
@DisplayName("Fidelity: a store keeps records, it does not judge them")
public abstract class FidelityContract extends StoreContract {

    private static final long FAR = Long.MAX_VALUE - 1;
    private static final UUID HIGH_BITS = new UUID(0x8000_0000_0000_0001L, 0xFFFF_FFFF_FFFF_FFFFL);

    protected FidelityContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    @TestFactory
    @DisplayName("Every field of a segment comes back as it was written, through every selection")
    Stream<DynamicTest> segmentFields() {
        Map<String, SegmentRecord> odd = new LinkedHashMap<>();
        for (SegmentState state : SegmentState.values()) {
            odd.put("state " + state, Segments.in(state, Segments.started(0, 9)));
        }
        odd.put("no custom metadata", Segments.with(null, Segments.started(0, 9)));
        odd.put("custom metadata of no bytes", Segments.with(custom(0), Segments.started(0, 9)));
        odd.put("custom metadata of every byte", Segments.with(custom(256), Segments.started(0, 9)));
        odd.put("custom metadata of 16 KiB", Segments.with(custom(16_384), Segments.started(0, 9)));
        odd.put("id with high bits", Segments.started(HIGH_BITS, 0, 9, LeaderEpochs.of(0, 0)));
        odd.put("id of zeros but the last bit", Segments.started(new UUID(0, 1), 0, 9, LeaderEpochs.of(0, 0)));
        odd.put("a single offset", Segments.started(0, 0));
        odd.put("the highest offsets", Segments.started(FAR - 10, FAR));
        odd.put("the longest segment", Segments.started(0, FAR));
        odd.put("highest epoch", epochs(0, 9, Map.of(Integer.MAX_VALUE, 0L)));
        odd.put("empty epoch before a filled one", epochs(0, 9, Map.of(1, 0L, 2, 0L, 3, 5L)));
        odd.put("empty epoch at the end", epochs(0, 9, Map.of(1, 0L, 2, 10L)));
        odd.put("epochs that begin before the segment", epochs(100, 200, Map.of(1, 90L, 2, 150L)));
        odd.put("a thousand epochs", epochs(0, 5_000, thousandEpochs()));
        odd.put("no timestamps", numbers(-1, 0, 0, -1, true));
        odd.put("the highest numbers", numbers(FAR, Integer.MAX_VALUE, Integer.MAX_VALUE, FAR, false));
        odd.put("the lowest numbers", numbers(Long.MIN_VALUE + 1, 0, -1, Long.MIN_VALUE + 1, true));
        return odd.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> comesBack(entry.getValue())));
    }

    private void comesBack(SegmentRecord segment) {
        TestPartition partition = newPartition();
        SegmentRecord written = partition.putOne(segment);
        TestPartition elsewhere = partition.through(open());
        List<SegmentRecord> ifLive = segment.state().live() ? List.of(written) : List.of();
        assertThat(elsewhere
                        .read(new Selection.ById(Set.of(segment.segmentId())))
                        .segments())
                .containsExactly(written);
        assertThat(elsewhere.read(new Selection.ChangedSince(0)).segments()).containsExactly(written);
        assertThat(elsewhere.all()).isEqualTo(ifLive);
        assertThat(elsewhere.read(new Selection.Holding(segment.endOffset())).segments())
                .isEqualTo(ifLive);
        assertThat(elsewhere
                        .read(new Selection.WithTxnIndex(segment.endOffset(), 5, null))
                        .segments())
                .isEqualTo(segment.txnIndexEmpty() ? List.of() : ifLive);
    }

    @TestFactory
    @DisplayName("Every field of a head comes back as it was written")
    Stream<DynamicTest> headFields() {
        NavigableMap<Integer, Long> many = new TreeMap<>();
        IntStream.range(0, 500).forEach(epoch -> many.put(epoch, epoch * 1_000L - 1));
        Map<String, PartitionHead> odd = new LinkedHashMap<>();
        for (PartitionDeletion deletion : PartitionDeletion.values()) {
            odd.put("deletion " + deletion, head(1, "t", 0, 0, deletion, Map.of()));
        }
        odd.put("a version far on", head(FAR, "t", 0, 0, PartitionDeletion.NONE, Map.of()));
        odd.put("many live segments", head(1, "t", FAR, 0, PartitionDeletion.NONE, Map.of()));
        odd.put("the longest span", head(1, "t", 1, FAR, PartitionDeletion.NONE, Map.of(0, FAR)));
        odd.put("nothing before the first epoch's end", head(1, "t", 1, 0, PartitionDeletion.NONE, Map.of(0, -1L)));
        odd.put("many epochs", head(1, "t", 1, 0, PartitionDeletion.NONE, many));
        odd.put("highest epoch", head(1, "t", 1, 0, PartitionDeletion.NONE, Map.of(Integer.MAX_VALUE, 7L)));
        for (String topic :
                List.of("", "a.b_c-D", "x".repeat(249), "été-名前-Ω-🎉", "it's \"100%\" \\; --", " lead and trail ")) {
            odd.put("topic '" + topic + "'", head(1, topic, 0, 0, PartitionDeletion.NONE, Map.of()));
        }
        return odd.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    TestPartition partition = newPartition();
                    assertThat(partition.commit(new PartitionCommit(0, entry.getValue(), List.of(), List.of())))
                            .isEqualTo(new CommitResult.Committed());
                    assertThat(partition.through(open()).head()).isEqualTo(entry.getValue());
                }));
    }

    @Test
    @DisplayName("A record replaces the one of its id whole: nothing of the old one shines through")
    void replaces() {
        TestPartition partition = newPartition();
        SegmentRecord first = partition.putOne(Segments.with(custom(10), epochs(0, 99, thousandEpochs())));
        UUID id = first.segmentId();
        SegmentRecord second = partition.putOne(Segments.in(
                SegmentState.COPY_SEGMENT_FINISHED, Segments.started(id, 50, 60, LeaderEpochs.of(2_000, 50))));
        assertThat(partition.all()).containsExactly(second);
        assertThat(partition.read(new Selection.Holding(10)).segments()).isEmpty();
        assertThat(partition.read(new Selection.Holding(55)).segments()).containsExactly(second);
        SegmentRecord third = partition.putOne(Segments.with(custom(0), second));
        assertThat(partition.all()).containsExactly(third);
        SegmentRecord fourth = partition.putOne(Segments.with(null, third));
        assertThat(partition.all()).containsExactly(fourth);
    }

    @Test
    @DisplayName("Many that go on at once: what may change is changed in each, and all else is as it was")
    void manyGoOn() {
        TestPartition partition = newPartition();
        SegmentRecord bare = Segments.with(null, Segments.started(0, 9));
        SegmentRecord full = Segments.with(custom(300), epochs(0, 5_000, thousandEpochs()));
        SegmentRecord far = Segments.withoutTxnIndex(Segments.started(HIGH_BITS, FAR - 10, FAR, LeaderEpochs.of(7, 3)));
        List<SegmentRecord> now = partition.put(bare, full, far);
        for (SegmentState state : List.of(
                SegmentState.COPY_SEGMENT_FINISHED,
                SegmentState.DELETE_SEGMENT_STARTED,
                SegmentState.DELETE_SEGMENT_FINISHED)) {
            List<SegmentRecord> next = new ArrayList<>();
            for (SegmentRecord segment : now) {
                SegmentRecord reported =
                        Segments.reportedBy(segment.brokerId() + 1, segment.eventTimestampMs() + 5, segment);
                CustomMetadata metadata = segment.customMetadata() == null ? custom(next.size() + 1) : null;
                next.add(Segments.in(state, Segments.with(metadata, reported)));
            }
            PartitionCommit commit = partition.next(next.toArray(SegmentRecord[]::new));
            assertThat(commit.onlyUpdates()).isTrue();
            assertThat(partition.commit(commit)).isEqualTo(new CommitResult.Committed());
            now = commit.segments();
            TestPartition elsewhere = partition.through(open());
            assertThat(elsewhere
                            .read(new Selection.ChangedSince(commit.expectedVersion()))
                            .segments())
                    .containsExactlyInAnyOrderElementsOf(now);
            assertThat(elsewhere.all()).hasSize(state.live() ? 3 : 0);
            assertThat(elsewhere.head()).isEqualTo(commit.head());
            assertThat(partition.commit(commit)).as("again").isEqualTo(new CommitResult.VersionConflict());
        }
    }

    @Test
    @DisplayName("Among many, a copy that begins anew replaces the record whole")
    void manyBeginAnew() {
        TestPartition partition = newPartition();
        List<SegmentRecord> first = partition.put(
                Segments.with(custom(10), epochs(0, 99, thousandEpochs())),
                Segments.started(100, 199),
                Segments.started(200, 299));
        UUID id = first.get(0).segmentId();
        PartitionCommit anew = partition.next(
                Segments.started(id, 50, 60, LeaderEpochs.of(2_000, 50)),
                Segments.in(SegmentState.COPY_SEGMENT_FINISHED, first.get(1)));
        assertThat(anew.onlyUpdates()).isFalse();
        assertThat(partition.commit(anew)).isEqualTo(new CommitResult.Committed());
        assertThat(partition.all())
                .containsExactlyInAnyOrder(
                        anew.segments().get(0), anew.segments().get(1), first.get(2));
        assertThat(partition.read(new Selection.Holding(10)).segments()).isEmpty();
    }

    @Test
    @DisplayName("The topic's name is the one of the last change")
    void topicRenamed() {
        TestPartition partition = newPartition();
        partition.commit(new PartitionCommit(
                0, head(1, "before", 0, 0, PartitionDeletion.NONE, Map.of()), List.of(), List.of()));
        partition.commit(
                new PartitionCommit(1, head(2, "after", 0, 0, PartitionDeletion.NONE, Map.of()), List.of(), List.of()));
        assertThat(partition.head().topicName()).isEqualTo("after");
    }

    @Test
    @DisplayName(
            "A record beyond the store's limits is refused as Unsupported and nothing is applied, or it is kept whole")
    void hugeRecord() {
        TestPartition partition = newPartition();
        SegmentRecord huge = Segments.with(custom(1_000_000), Segments.finished(0, 9));
        PartitionCommit commit = partition.next(huge, Segments.finished(10, 19));
        try {
            assertThat(partition.commit(commit)).isEqualTo(new CommitResult.Committed());
        } catch (StoreException.Unsupported refused) {
            assertThat(partition.head()).isEqualTo(PartitionHead.NEW);
            assertThat(partition.all()).isEmpty();
            return;
        }
        assertThat(partition.all()).containsExactlyInAnyOrderElementsOf(commit.segments());
    }

    private static CustomMetadata custom(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return CustomMetadata.of(bytes);
    }

    private static Map<Integer, Long> thousandEpochs() {
        Map<Integer, Long> epochs = new TreeMap<>();
        IntStream.range(0, 1_000).forEach(epoch -> epochs.put(epoch, epoch * 5L));
        return epochs;
    }

    private static SegmentRecord epochs(long start, long end, Map<Integer, Long> epochs) {
        return Segments.started(UUID.randomUUID(), start, end, LeaderEpochs.of(new TreeMap<>(epochs)));
    }

    private static SegmentRecord numbers(
            long maxTimestampMs, int size, int brokerId, long eventTimestampMs, boolean txnIndexEmpty) {
        @Nullable CustomMetadata none = null;
        return SegmentRecord.builder(UUID.randomUUID(), 5, 9, LeaderEpochs.of(0, 5))
                .state(SegmentState.COPY_SEGMENT_FINISHED)
                .maxTimestampMs(maxTimestampMs)
                .sizeInBytes(size)
                .txnIndexEmpty(txnIndexEmpty)
                .customMetadata(none)
                .brokerId(brokerId)
                .eventTimestampMs(eventTimestampMs)
                .build();
    }

    private static PartitionHead head(
            long version,
            String topic,
            long live,
            long span,
            PartitionDeletion deletion,
            Map<Integer, Long> highestOffsets) {
        return new PartitionHead(version, topic, live, span, deletion, new TreeMap<>(highestOffsets));
    }
}
