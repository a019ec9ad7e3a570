package dev.shelfmark.tool.storage.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** Where a log ends, from batches that Kafka itself wrote. */
final class LogEndTest {

    private static byte[] batch(byte magic, long offset, long... timestamps) {
        SimpleRecord[] records = Arrays.stream(timestamps)
                .mapToObj(timestamp ->
                        new SimpleRecord(timestamp, "value".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .toArray(SimpleRecord[]::new);
        ByteBuffer buffer = MemoryRecords.withRecords(
                        magic, offset, Compression.gzip().build(), records)
                .buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static byte[] log(byte[]... batches) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        IntStream.range(0, batches.length).forEach(i -> log.writeBytes(batches[i]));
        return log.toByteArray();
    }

    private static LogEnd read(byte[] log) throws Exception {
        return LogEnd.read(new ByteArrayInputStream(log), log.length);
    }

    @Test
    void theLastBatchTellsTheEndAndTheGreatestTimestampMayBeAnywhere() throws Exception {
        byte[] log = log(batch((byte) 2, 100, 5, 900, 6), batch((byte) 2, 103, 7, 8), batch((byte) 2, 110, 9));
        assertThat(read(log)).isEqualTo(new LogEnd(100, 110, 900));
    }

    @Test
    void aBatchOfSeveralRecordsEndsWithItsLast() throws Exception {
        assertThat(read(batch((byte) 2, 40, 1, 2, 3, 4))).isEqualTo(new LogEnd(40, 43, 4));
    }

    @Test
    void batchesOfTheOldFormatAreReadWhole() throws Exception {
        byte[] log = log(batch((byte) 1, 0, 30, 20), batch((byte) 2, 2, 10));
        assertThat(read(log)).isEqualTo(new LogEnd(0, 2, 30));
    }

    @Test
    void recordsWithoutTimestampsHaveNone() throws Exception {
        assertThat(read(batch((byte) 2, 0, RecordBatch.NO_TIMESTAMP)).maxTimestampMs())
                .isEqualTo(-1);
    }

    @Test
    void aLogThatIsCutShortAnywhereIsRefused() {
        byte[] log = log(batch((byte) 2, 0, 1), batch((byte) 2, 1, 2, 3));
        int first = batch((byte) 2, 0, 1).length;
        for (int length = 0; length < log.length; length++) {
            if (length != first) {
                byte[] cut = Arrays.copyOf(log, length);
                assertThatThrownBy(() -> read(cut)).isInstanceOf(UnreadableSegmentException.class);
            }
        }
        assertThatThrownBy(() -> LogEnd.read(new ByteArrayInputStream(log, 0, log.length - 1), log.length))
                .as("shorter than its listing says")
                .isInstanceOf(UnreadableSegmentException.class);
    }

    @Test
    void batchesThatDoNotAscendAreRefused() {
        assertThatThrownBy(() -> read(log(batch((byte) 2, 5, 1), batch((byte) 2, 5, 1))))
                .isInstanceOf(UnreadableSegmentException.class)
                .hasMessageContaining("damaged");
    }
}
