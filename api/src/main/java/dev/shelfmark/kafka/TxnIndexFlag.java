package dev.shelfmark.kafka;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/**
 * Whether a segment has a transaction index: a field of Kafka's record that brokers before 4.0 do not have. The JVM resolves a
 * constructor or method only when it is first called, so a call that this class never makes needs not exist.
 */
final class TxnIndexFlag {

    private static final boolean KNOWN = known();

    private TxnIndexFlag() {}

    private static boolean known() {
        try {
            RemoteLogSegmentMetadata.class.getMethod("isTxnIdxEmpty");
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Whether the segment certainly has no transaction index; false where the broker does not say. */
    static boolean empty(RemoteLogSegmentMetadata segment) {
        return KNOWN && segment.isTxnIdxEmpty();
    }

    static RemoteLogSegmentMetadata segment(
            RemoteLogSegmentId id,
            long startOffset,
            long endOffset,
            long maxTimestampMs,
            int brokerId,
            long eventTimestampMs,
            int sizeInBytes,
            Optional<CustomMetadata> custom,
            RemoteLogSegmentState state,
            Map<Integer, Long> epochs,
            boolean txnIndexEmpty) {
        return KNOWN
                ? new RemoteLogSegmentMetadata(
                        id,
                        startOffset,
                        endOffset,
                        maxTimestampMs,
                        brokerId,
                        eventTimestampMs,
                        sizeInBytes,
                        custom,
                        state,
                        epochs,
                        txnIndexEmpty)
                : new RemoteLogSegmentMetadata(
                        id,
                        startOffset,
                        endOffset,
                        maxTimestampMs,
                        brokerId,
                        eventTimestampMs,
                        sizeInBytes,
                        custom,
                        state,
                        epochs);
    }
}
