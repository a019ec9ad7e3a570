package dev.shelfmark.jdbc.bulk;

import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.core.Oid;

/**
 * Live segments through COPY, in its binary format, which the server need not parse. Each field is its length and its value in network byte
 * order, as the type's receive function takes it.
 */
final class SegmentCopy implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;
    private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final short FIELDS = 15;
    private static final short END = -1;
    private static final int NULL = -1;
    private static final int ARRAY_HEADER = 5 * Integer.BYTES;
    /** More than a row takes without its arrays and its metadata. */
    private static final int ROW = 256;

    private final CopyIn copy;
    private ByteBuffer rows = ByteBuffer.allocate(BUFFER);

    SegmentCopy(PGConnection connection, SchemaName schema) throws SQLException {
        this.copy = connection
                .getCopyAPI()
                .copyIn(
                        "copy " + schema.quoted() + ".segment (partition_id, segment_id, start_offset, end_offset,"
                                + " max_timestamp_ms, event_timestamp_ms, version, finished_version, size_in_bytes, broker_id, state,"
                                + " txn_index_empty, leader_epochs, epoch_start_offsets, custom_metadata) from stdin (format binary)");
        // No flags, and no extension of the header.
        rows.put(SIGNATURE).putInt(0).putInt(0);
    }

    void add(long partitionId, SegmentRecord segment) throws SQLException {
        LeaderEpochs epochs = segment.leaderEpochs();
        CustomMetadata custom = segment.customMetadata();
        byte[] metadata = custom == null ? null : custom.bytes();
        reserve(ROW + 2 * (ARRAY_HEADER + epochs.size() * 12) + (metadata == null ? 0 : metadata.length));
        rows.putShort(FIELDS);
        put(partitionId);
        put(segment.segmentId());
        put(segment.startOffset());
        put(segment.endOffset());
        put(segment.maxTimestampMs());
        put(segment.eventTimestampMs());
        put(segment.version());
        put(segment.finishedVersion());
        put(segment.sizeInBytes());
        put(segment.brokerId());
        rows.putInt(Short.BYTES).putShort(segment.state().code());
        rows.putInt(Byte.BYTES).put((byte) (segment.txnIndexEmpty() ? 1 : 0));
        putArray(Oid.INT4, epochs.size(), Integer.BYTES);
        for (int i = 0; i < epochs.size(); i++) {
            put(epochs.epoch(i));
        }
        putArray(Oid.INT8, epochs.size(), Long.BYTES);
        for (int i = 0; i < epochs.size(); i++) {
            put(epochs.startOffset(i));
        }
        if (metadata == null) {
            rows.putInt(NULL);
        } else {
            rows.putInt(metadata.length).put(metadata);
        }
    }

    private void put(long value) {
        rows.putInt(Long.BYTES).putLong(value);
    }

    private void put(int value) {
        rows.putInt(Integer.BYTES).putInt(value);
    }

    private void put(UUID value) {
        rows.putInt(2 * Long.BYTES).putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
    }

    /** Begins an array of one dimension, without nulls, whose elements follow as fields do. */
    private void putArray(int elementType, int size, int elementBytes) {
        rows.putInt(ARRAY_HEADER + size * (Integer.BYTES + elementBytes))
                .putInt(1)
                .putInt(0)
                .putInt(elementType)
                .putInt(size)
                .putInt(1);
    }

    private void reserve(int bytes) throws SQLException {
        if (rows.remaining() < bytes) {
            send();
        }
        if (rows.remaining() < bytes) {
            rows = ByteBuffer.allocate(bytes);
        }
    }

    private void send() throws SQLException {
        copy.writeToCopy(rows.array(), 0, rows.position());
        rows.clear();
    }

    void end() throws SQLException {
        reserve(Short.BYTES);
        rows.putShort(END);
        send();
        copy.endCopy();
    }

    /** Takes back what was not ended. */
    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }
}
