package dev.shelfmark.jdbc.partition;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the rows of {@link PartitionDao}; those without a segment's id are heads. */
public final class PartitionRowMapper {

    private PartitionRowMapper() {}

    /**
     * Of the row at which a result stands.
     *
     * @throws StoreException.Corrupt when it contradicts itself
     */
    static PartitionRow row(ResultSet row) throws SQLException {
        UUID segmentId = row.getObject("segment_id", UUID.class);
        try {
            return segmentId == null ? head(row) : new PartitionRow.Segment(segment(segmentId, row));
        } catch (IllegalArgumentException e) {
            throw new StoreException.Corrupt(
                    "a row of the catalogue contradicts itself: " + e.getMessage() + "; a person must look", e);
        }
    }

    private static PartitionRow head(ResultSet row) throws SQLException {
        Integer[] epochs = array(row.getArray("highest_epochs"), new Integer[0]);
        Long[] offsets = array(row.getArray("highest_offsets"), new Long[0]);
        TreeMap<Integer, Long> highestOffsets = new TreeMap<>();
        for (int i = 0; i < epochs.length; i++) {
            highestOffsets.put(epochs[i], offsets[i]);
        }
        return new PartitionRow.Head(new PartitionHead(
                row.getLong("head_version"),
                row.getString("topic_name"),
                row.getLong("live_segments"),
                row.getLong("max_offset_span"),
                StateCodes.partitionDeletion(row.getObject("deletion", Integer.class)),
                highestOffsets));
    }

    /**
     * The segment of a row.
     *
     * @throws IllegalArgumentException when the row contradicts itself
     */
    public static SegmentRecord segment(UUID segmentId, ResultSet row) throws SQLException {
        return SegmentRecord.builder(
                        segmentId, row.getLong("start_offset"), row.getLong("end_offset"), leaderEpochs(row))
                .state(SegmentState.ofCode(row.getInt("state")))
                .maxTimestampMs(row.getLong("max_timestamp_ms"))
                .sizeInBytes(row.getInt("size_in_bytes"))
                .txnIndexEmpty(row.getBoolean("txn_index_empty"))
                .customMetadata(customMetadata(row.getBytes("custom_metadata")))
                .brokerId(row.getInt("broker_id"))
                .eventTimestampMs(row.getLong("event_timestamp_ms"))
                .version(row.getLong("version"))
                .finishedVersion(row.getLong("finished_version"))
                .build();
    }

    private static LeaderEpochs leaderEpochs(ResultSet row) throws SQLException {
        Integer[] boxedEpochs = array(row.getArray("leader_epochs"), new Integer[0]);
        Long[] boxedOffsets = array(row.getArray("epoch_start_offsets"), new Long[0]);
        int[] epochs = new int[boxedEpochs.length];
        long[] offsets = new long[boxedOffsets.length];
        for (int i = 0; i < epochs.length; i++) {
            epochs[i] = boxedEpochs[i];
        }
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = boxedOffsets[i];
        }
        return LeaderEpochs.of(epochs, offsets);
    }

    private static @Nullable CustomMetadata customMetadata(byte @Nullable [] bytes) {
        return bytes == null ? null : CustomMetadata.of(bytes);
    }

    /**
     * A null array, which is what the aggregate of no row is, as an empty one.
     *
     * @throws IllegalArgumentException when it is not a plain list of values
     */
    @SuppressWarnings("unchecked")
    private static <T> T[] array(@Nullable Array array, T[] empty) throws SQLException {
        if (array == null) {
            return empty;
        }
        Object elements = array.getArray();
        if (!empty.getClass().isInstance(elements)
                || Arrays.asList((Object[]) elements).contains(null)) {
            throw new IllegalArgumentException("an array is not a plain list of values: " + array);
        }
        return (T[]) elements;
    }
}
