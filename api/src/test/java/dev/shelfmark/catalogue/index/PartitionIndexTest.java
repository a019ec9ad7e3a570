package dev.shelfmark.catalogue.index;

import static dev.shelfmark.catalogue.Segments.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.Segments;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index against a plain list, over random histories: same segments, same order, same answers. */
class PartitionIndexTest {

    private static final Comparator<SegmentRecord> ORDER = Comparator.comparingLong(SegmentRecord::startOffset)
            .thenComparing(
                    Comparator.comparingLong(SegmentRecord::finishedVersion).reversed())
            .thenComparingLong(segment -> segment.segmentId().getLeastSignificantBits());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void answers_as_a_plain_list_would(long seed) {
        Random random = new Random(seed);
        IndexEditor editor = new IndexEditor();
        Map<UUID, SegmentRecord> plain = new HashMap<>();
        // Small spaces make ties, overlaps and removals of the same segments frequent; a large one fills many chunks.
        int ids = seed % 2 == 0 ? 40 : 1_500;
        long offsets = seed % 2 == 0 ? 60 : 20_000;
        long span = 0;
        for (int round = 0; round < 60; round++) {
            int changes = random.nextInt(ids);
            for (int i = 0; i < changes; i++) {
                SegmentRecord next = randomSegment(random, ids, offsets, round * 10_000L + i + 1);
                span = Math.max(span, next.endOffset() - next.startOffset());
                editor.put(next);
                if (next.state().live()) {
                    plain.put(next.segmentId(), next);
                } else {
                    plain.remove(next.segmentId());
                }
            }
            PartitionHead head =
                    new PartitionHead(round + 1, "t", plain.size(), span, PartitionDeletion.NONE, new TreeMap<>());
            compare(editor, editor.index(head), plain, random, ids, offsets);
        }
    }

    private static PartitionIndex index(SegmentRecord... segments) {
        IndexEditor editor = new IndexEditor();
        List.of(segments).forEach(editor::put);
        return editor.index(new PartitionHead(9, "t", segments.length, 100, PartitionDeletion.NONE, new TreeMap<>()));
    }

    private static SegmentRecord finished(int number, long start, long end, int version, Map<Integer, Long> epochs) {
        return SegmentRecord.builder(id(number), start, end, LeaderEpochs.of(new TreeMap<>(epochs)))
                .state(SegmentState.COPY_SEGMENT_FINISHED)
                .maxTimestampMs(1)
                .sizeInBytes(1)
                .txnIndexEmpty(true)
                .brokerId(1)
                .eventTimestampMs(1)
                .version(version)
                .finishedVersion(version)
                .build();
    }

    @Test
    void hands_an_answer_out_again_while_its_segment_is_asked_for_in_its_epoch() {
        PartitionIndex index =
                index(finished(1, 0, 19, 1, Map.of(0, 0L, 1, 10L)), finished(2, 20, 29, 2, Map.of(1, 20L)));
        SegmentColumns.Reader<Object> reader = (segments, position) -> new Object[] {segments.idLow(position)};
        index.lookup(0, 0, reader);
        Optional<Object> kept = index.lookup(0, 1, reader);
        assertThat(index.lookup(0, 9, reader)).isPresent().isSameAs(kept);
        assertThat(index.lookup(0, 10, reader)).isEmpty();
        assertThat(index.lookup(1, 9, reader)).isEmpty();
        assertThat(index.lookup(1, 10, SegmentColumns::segment).orElseThrow().segmentId())
                .isEqualTo(id(1));
        assertThat(index.lookup(1, 20, SegmentColumns::segment).orElseThrow().segmentId())
                .isEqualTo(id(2));
    }

    /** No broker reports epochs beyond its segment; whatever else was brought in must not have two answers, or none that ends. */
    @Test
    void answers_alike_whether_kept_or_not_where_epochs_go_beyond_their_segment() {
        PartitionIndex index = index(finished(1, 10, 19, 1, Map.of(0, 5L, 1, 30L)));
        SegmentColumns.Reader<Object> reader = (segments, position) -> segments.idLow(position);
        assertThat(index.lookup(0, 25, reader)).isEmpty();
        assertThat(index.lookup(0, 7, reader)).isEmpty();
        assertThat(index.lookup(0, 10, reader)).isPresent();
        assertThat(index.lookup(0, 11, reader)).isPresent();
        assertThat(index.lookup(0, 12, reader)).isPresent();
        assertThat(index.lookup(0, 25, reader)).isEmpty();
        assertThat(index.lookup(0, 7, reader)).isEmpty();
    }

    /** The broker asks for what comes after the end of what it got, and would do so for ever. */
    @Test
    void tells_of_no_transaction_index_of_a_segment_that_ends_before_the_offset() {
        SegmentRecord segment = Segments.segment(1, 10, 19, Map.of(0, 10L, 1, 30L));
        PartitionIndex index = index(
                segment.toBuilder()
                        .state(SegmentState.COPY_SEGMENT_FINISHED)
                        .maxTimestampMs(1)
                        .sizeInBytes(1)
                        .txnIndexEmpty(false)
                        .customMetadata(null)
                        .brokerId(1)
                        .eventTimestampMs(1)
                        .version(1)
                        .finishedVersion(1)
                        .build(),
                finished(2, 20, 29, 2, Map.of(1, 20L)));
        assertThat(index.nextWithTxnIndex(0, 19, SegmentColumns::startOffset)).contains(10L);
        assertThat(index.nextWithTxnIndex(0, 20, SegmentColumns::startOffset)).isEmpty();
    }

    @Test
    void hands_the_next_segments_first_answer_out_again_but_none_of_a_segment_elsewhere() {
        PartitionIndex index = index(
                finished(1, 0, 9, 1, Map.of(0, 0L)),
                finished(2, 10, 19, 2, Map.of(0, 10L)),
                finished(3, 20, 29, 3, Map.of(0, 20L)),
                finished(4, 30, 39, 4, Map.of(0, 30L)));
        SegmentColumns.Reader<Object> reader = (segments, position) -> new Object[] {segments.idLow(position)};
        assertThat(index.lookup(0, 0, reader)).isPresent();
        Optional<Object> next = index.lookup(0, 10, reader);
        assertThat(index.lookup(0, 15, reader)).isPresent().isSameAs(next);
        assertThat(index.lookup(0, 30, reader)).isPresent();
        // Back to the second: its answer is still there, as none was kept of the one that is elsewhere.
        assertThat(index.lookup(0, 19, reader)).isPresent().isSameAs(next);
    }

    @Test
    void hands_an_answer_out_to_its_reader_only() {
        PartitionIndex index = index(finished(1, 0, 9, 1, Map.of(0, 0L)));
        for (int i = 0; i < 3; i++) {
            assertThat(index.lookup(0, i, (segments, position) -> "one")).contains("one");
            assertThat(index.lookup(0, i, (segments, position) -> "other")).contains("other");
        }
    }

    @Test
    void hands_no_answer_out_again_where_a_newer_segment_has_some_of_the_offsets() {
        PartitionIndex index = index(finished(1, 0, 19, 1, Map.of(0, 0L)), finished(2, 5, 9, 2, Map.of(0, 5L)));
        for (int i = 0; i < 3; i++) {
            assertThat(index.lookup(0, i, SegmentColumns::segment).orElseThrow().segmentId())
                    .isEqualTo(id(1));
        }
        assertThat(index.lookup(0, 5, SegmentColumns::segment).orElseThrow().segmentId())
                .isEqualTo(id(2));
    }

    private static SegmentRecord randomSegment(Random random, int ids, long offsets, long version) {
        long start = (long) (random.nextDouble() * offsets);
        long end = start + random.nextInt(random.nextInt(20) == 0 ? (int) (offsets / 4) + 1 : 12);
        TreeMap<Integer, Long> epochs = new TreeMap<>();
        int epoch = random.nextInt(3);
        epochs.put(epoch, start);
        for (long at = start; random.nextInt(4) == 0 && at <= end; ) {
            at += random.nextInt(4);
            epochs.put(++epoch, Math.min(at, end));
        }
        SegmentState state = SegmentState.ofCode(random.nextInt(4));
        return SegmentRecord.builder(id(random.nextInt(ids)), start, end, LeaderEpochs.of(epochs))
                .state(state)
                .maxTimestampMs(random.nextLong())
                .sizeInBytes(random.nextInt(1_000))
                .txnIndexEmpty(random.nextBoolean())
                .customMetadata(random.nextInt(3) == 0 ? CustomMetadata.of(new byte[] {(byte) version}) : null)
                .brokerId(random.nextInt(9))
                .eventTimestampMs(random.nextLong())
                .version(version)
                .finishedVersion(state == SegmentState.COPY_SEGMENT_STARTED ? 0 : version)
                .build();
    }

    private static void compare(
            IndexEditor editor,
            PartitionIndex index,
            Map<UUID, SegmentRecord> plain,
            Random random,
            int ids,
            long offsets) {
        List<SegmentRecord> sorted = plain.values().stream().sorted(ORDER).toList();
        assertThat(index.size()).isEqualTo(sorted.size());
        assertThat(all(index.list(SegmentColumns::segment))).isEqualTo(sorted);
        for (int number = 0; number < ids; number++) {
            assertThat(editor.find(id(number))).isEqualTo(Optional.ofNullable(plain.get(id(number))));
        }
        for (int epoch = 0; epoch < 6; epoch++) {
            int e = epoch;
            List<SegmentRecord> ofEpoch = sorted.stream()
                    .filter(segment -> segment.leaderEpochs().toMap().containsKey(e))
                    .toList();
            assertThat(all(index.list(epoch, SegmentColumns::segment))).isEqualTo(ofEpoch);
            assertThat(index.sizeInBytes(epoch))
                    .isEqualTo(ofEpoch.stream()
                            .mapToLong(SegmentRecord::sizeInBytes)
                            .sum());
            long offset = 0;
            for (int probe = 0; probe < 60; probe++) {
                // Here and there, and then on from there, as consumers do.
                offset =
                        probe % 6 == 0 ? (long) (random.nextDouble() * (offsets + 20)) - 2 : offset + random.nextInt(2);
                long at = offset;
                assertThat(index.lookup(epoch, offset, SegmentColumns::segment))
                        .as("epoch %d, offset %d", epoch, offset)
                        .isEqualTo(ofEpoch.stream()
                                .filter(segment -> segment.state() == SegmentState.COPY_SEGMENT_FINISHED)
                                .filter(segment -> start(segment, e) <= at && at <= end(segment, e))
                                .max(Comparator.comparingLong(SegmentRecord::finishedVersion)));
                assertThat(index.nextWithTxnIndex(epoch, offset, SegmentColumns::segment))
                        .as("epoch %d, txn index from %d", epoch, offset)
                        .isEqualTo(ofEpoch.stream()
                                .filter(segment -> segment.state() == SegmentState.COPY_SEGMENT_FINISHED)
                                .filter(segment -> !segment.txnIndexEmpty())
                                .filter(segment -> end(segment, e) >= at && start(segment, e) <= end(segment, e))
                                .findFirst());
            }
        }
    }

    private static long start(SegmentRecord segment, int epoch) {
        LeaderEpochs epochs = segment.leaderEpochs();
        return epochs.startOffset(epochs.position(epoch));
    }

    private static long end(SegmentRecord segment, int epoch) {
        Map.Entry<Integer, Long> next = segment.leaderEpochs().toMap().higherEntry(epoch);
        return next == null ? segment.endOffset() : next.getValue() - 1;
    }

    private static List<SegmentRecord> all(Iterator<SegmentRecord> segments) {
        List<SegmentRecord> list = new ArrayList<>();
        segments.forEachRemaining(list::add);
        return list;
    }
}
