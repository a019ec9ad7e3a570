package dev.shelfmark.jdbc;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Live segments through COPY, in its text format. No value needs quoting: they are numbers, ids, truth values and hexadecimal. */
final class SegmentCopy implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;

    private final CopyIn copy;
    private final StringBuilder lines = new StringBuilder(BUFFER + 1024);

    SegmentCopy(PGConnection connection, SchemaName schema) throws SQLException {
        this.copy = connection
                .getCopyAPI()
                .copyIn("copy " + schema.quoted() + ".segment (partition_id, segment_id, start_offset, end_offset,"
                        + " max_timestamp_ms, event_timestamp_ms, version, finished_version, size_in_bytes, broker_id, state,"
                        + " txn_index_empty, leader_epochs, epoch_start_offsets, custom_metadata) from stdin");
    }

    void add(long partitionId, SegmentRecord segment) throws SQLException {
        LeaderEpochs epochs = segment.leaderEpochs();
        field(partitionId)
                .field(segment.segmentId())
                .field(segment.startOffset())
                .field(segment.endOffset())
                .field(segment.maxTimestampMs())
                .field(segment.eventTimestampMs())
                .field(segment.version())
                .field(segment.finishedVersion())
                .field(segment.sizeInBytes())
                .field(segment.brokerId())
                .field(segment.state().code())
                .field(segment.txnIndexEmpty());
        array(epochs, LeaderEpochs::epoch);
        array(epochs, LeaderEpochs::startOffset);
        CustomMetadata custom = segment.customMetadata();
        // A backslash of the value is written as two.
        lines.append(custom == null ? "\\N" : "\\\\x" + HexFormat.of().formatHex(custom.bytes()))
                .append('\n');
        if (lines.length() >= BUFFER) {
            send();
        }
    }

    private SegmentCopy field(Object value) {
        lines.append(value).append('\t');
        return this;
    }

    private interface Element {
        Object at(LeaderEpochs epochs, int position);
    }

    private void array(LeaderEpochs epochs, Element element) {
        lines.append('{');
        for (int i = 0; i < epochs.size(); i++) {
            lines.append(i == 0 ? "" : ",").append(element.at(epochs, i));
        }
        lines.append("}\t");
    }

    private void send() throws SQLException {
        byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
        copy.writeToCopy(bytes, 0, bytes.length);
        lines.setLength(0);
    }

    void end() throws SQLException {
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
