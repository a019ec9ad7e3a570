package dev.shelfmark.tool.storage.layout;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Where a log segment's file ends, from its record batches. Of batches of the current format only the header is read, so that a file that can be
 * seeked in is gone through fast; at most one batch is in memory.
 *
 * @param firstOffset base offset of the first batch
 * @param lastOffset last offset of the last batch
 * @param maxTimestampMs greatest timestamp of a batch, or -1
 */
record LogEnd(long firstOffset, long lastOffset, long maxTimestampMs) {

    /** The offset and the length, which every format begins with. */
    private static final int OFFSET_AND_LENGTH = 12;

    /** So far that a batch of the current format has told its greatest timestamp. */
    private static final int HEADER = 43;

    private static final int MAGIC_AT = 16;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int MAX_TIMESTAMP_AT = 35;
    private static final int MOST_OLD_BATCH_BYTES = 256 * 1024 * 1024;

    /** @param size how long the log is, in bytes */
    static LogEnd read(InputStream log, long size) throws IOException, UnreadableSegmentException {
        DataInputStream in = new DataInputStream(log);
        long at = 0;
        long first = -1;
        long last = -1;
        long timestamp = RecordBatch.NO_TIMESTAMP;
        while (at < size) {
            Batch batch = batch(in, at, size);
            if (first < 0) {
                first = batch.first();
            }
            if (batch.first() <= last || batch.last() < batch.first()) {
                throw new UnreadableSegmentException("its log is damaged: the batch at byte " + at + " has the offsets "
                        + batch.first() + " to " + batch.last() + ", behind " + last);
            }
            last = batch.last();
            timestamp = Math.max(timestamp, batch.maxTimestampMs());
            at += batch.bytes();
        }
        if (first < 0) {
            throw new UnreadableSegmentException("its log is empty");
        }
        return new LogEnd(first, last, timestamp);
    }

    private record Batch(long first, long last, long maxTimestampMs, long bytes) {}

    private static Batch batch(DataInputStream in, long at, long size) throws IOException, UnreadableSegmentException {
        if (size - at < HEADER) {
            throw cutShort(at, size);
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        try {
            in.readFully(header.array());
            long bytes = OFFSET_AND_LENGTH + (long) header.getInt(Long.BYTES);
            if (bytes < HEADER || bytes > size - at) {
                throw cutShort(at, size);
            }
            if (header.get(MAGIC_AT) < RecordBatch.MAGIC_VALUE_V2) {
                return oldBatch(in, header, bytes);
            }
            in.skipNBytes(bytes - HEADER);
            long first = header.getLong(0);
            return new Batch(
                    first, first + header.getInt(LAST_OFFSET_DELTA_AT), header.getLong(MAX_TIMESTAMP_AT), bytes);
        } catch (EOFException e) {
            throw cutShort(at, size);
        }
    }

    /** Of a format whose header does not tell. */
    private static Batch oldBatch(DataInputStream in, ByteBuffer header, long bytes)
            throws IOException, UnreadableSegmentException {
        if (bytes > MOST_OLD_BATCH_BYTES) {
            throw new UnreadableSegmentException("its log is damaged: a batch has " + bytes + " bytes");
        }
        ByteBuffer whole = ByteBuffer.allocate((int) bytes);
        whole.put(header);
        in.readFully(whole.array(), HEADER, (int) bytes - HEADER);
        whole.clear();
        for (RecordBatch batch : MemoryRecords.readableRecords(whole).batches()) {
            return new Batch(batch.baseOffset(), batch.lastOffset(), batch.maxTimestamp(), bytes);
        }
        throw new UnreadableSegmentException("its log is damaged: a batch can't be read");
    }

    private static UnreadableSegmentException cutShort(long at, long size) {
        return new UnreadableSegmentException(
                "its log is cut short or damaged: the batch at byte " + at + " does not end within " + size + " bytes");
    }
}
