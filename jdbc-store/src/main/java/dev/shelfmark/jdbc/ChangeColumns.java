package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The changes of a commit turned on their side, as {@link SegmentColumns} turns its segments. */
final class ChangeColumns {

    private ChangeColumns() {}

    /**
     * The arrays, by the names that {@link CommitDao} gives them.
     *
     * @param single whether to give what is in the arrays of a single change instead
     */
    static Map<String, ? extends @Nullable Object> of(List<StateChange> changes, boolean single) {
        Map<String, Object> arrays = arrays(changes);
        return single ? SegmentColumns.first(arrays) : arrays;
    }

    private static Map<String, Object> arrays(List<StateChange> changes) {
        int size = changes.size();
        long[] versions = new long[size];
        long[] eventTimestamps = new long[size];
        int[] brokerIds = new int[size];
        @Nullable UUID[] segmentIds = new UUID[size];
        @Nullable Integer[] from = new Integer[size];
        @Nullable Integer[] to = new Integer[size];
        for (int i = 0; i < size; i++) {
            StateChange change = changes.get(i);
            versions[i] = change.version();
            eventTimestamps[i] = change.eventTimestampMs();
            brokerIds[i] = change.brokerId();
            if (change instanceof StateChange.OfSegment ofSegment) {
                segmentIds[i] = ofSegment.segmentId();
                from[i] = code(ofSegment.from());
                to[i] = code(ofSegment.to());
            } else if (change instanceof StateChange.OfPartition ofPartition) {
                from[i] = code(ofPartition.from());
                to[i] = code(ofPartition.to());
            }
        }
        return Map.of(
                "changeVersion", versions,
                "changeTimestamp", eventTimestamps,
                "changeBroker", brokerIds,
                "changeSegment", segmentIds,
                "changeFrom", from,
                "changeTo", to);
    }

    private static @Nullable Integer code(@Nullable SegmentState state) {
        return state == null ? null : (int) state.code();
    }

    private static @Nullable Integer code(PartitionDeletion deletion) {
        Short code = StateCodes.code(deletion);
        return code == null ? null : code.intValue();
    }
}
