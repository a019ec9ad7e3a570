package dev.shelfmark.jdbc;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Segments turned on their side, one array a column, so that a statement of fixed text takes any number of them. The arrays within
 * a segment travel as literals: an array of arrays would have to be rectangular, and would be flattened by {@code unnest}. Bytes travel in
 * hexadecimal, for want of a way to bind arrays of them.
 */
final class SegmentColumns {

    private final List<SegmentRecord> segments;

    private SegmentColumns(List<SegmentRecord> segments) {
        this.segments = segments;
    }

    /**
     * The arrays, by the names that {@link CommitDao} gives them.
     *
     * @param single whether to give what is in the arrays of a single segment instead
     */
    static Map<String, @Nullable Object> of(List<SegmentRecord> segments, boolean single) {
        Map<String, Object> arrays = new SegmentColumns(segments).columns();
        return single ? first(arrays) : new HashMap<>(arrays);
    }

    /** The first value of each array. */
    static Map<String, @Nullable Object> first(Map<String, Object> arrays) {
        Map<String, @Nullable Object> values = new HashMap<>();
        arrays.forEach((name, array) -> values.put(name, Array.get(array, 0)));
        return values;
    }

    private Map<String, Object> columns() {
        return Map.ofEntries(
                Map.entry("segmentId", objects(SegmentRecord::segmentId, UUID[]::new)),
                Map.entry("startOffset", longs(SegmentRecord::startOffset)),
                Map.entry("endOffset", longs(SegmentRecord::endOffset)),
                Map.entry("maxTimestamp", longs(SegmentRecord::maxTimestampMs)),
                Map.entry("eventTimestamp", longs(SegmentRecord::eventTimestampMs)),
                Map.entry("segmentVersion", longs(SegmentRecord::version)),
                Map.entry("finishedVersion", longs(SegmentRecord::finishedVersion)),
                Map.entry("size", ints(SegmentRecord::sizeInBytes)),
                Map.entry("brokerId", ints(SegmentRecord::brokerId)),
                Map.entry("state", ints(segment -> segment.state().code())),
                Map.entry("live", objects(segment -> segment.state().live(), Boolean[]::new)),
                Map.entry("txnIndexEmpty", objects(SegmentRecord::txnIndexEmpty, Boolean[]::new)),
                Map.entry(
                        "leaderEpochs",
                        objects(segment -> literal(segment.leaderEpochs(), LeaderEpochs::epoch), String[]::new)),
                Map.entry(
                        "epochStartOffsets",
                        objects(segment -> literal(segment.leaderEpochs(), LeaderEpochs::startOffset), String[]::new)),
                Map.entry("customMetadata", objects(SegmentColumns::hex, String[]::new)));
    }

    private static @Nullable String hex(SegmentRecord segment) {
        CustomMetadata customMetadata = segment.customMetadata();
        return customMetadata == null ? null : HexFormat.of().formatHex(customMetadata.bytes());
    }

    private interface Element {
        Object at(LeaderEpochs leaderEpochs, int position);
    }

    private static String literal(LeaderEpochs leaderEpochs, Element element) {
        StringJoiner literal = new StringJoiner(",", "{", "}");
        for (int i = 0; i < leaderEpochs.size(); i++) {
            literal.add(element.at(leaderEpochs, i).toString());
        }
        return literal.toString();
    }

    private long[] longs(ToLongFunction<SegmentRecord> column) {
        return segments.stream().mapToLong(column).toArray();
    }

    private int[] ints(ToIntFunction<SegmentRecord> column) {
        return segments.stream().mapToInt(column).toArray();
    }

    private <T extends @Nullable Object> T[] objects(Function<SegmentRecord, T> column, IntFunction<T[]> array) {
        return segments.stream().map(column).toArray(array);
    }
}
