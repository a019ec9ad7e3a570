package dev.shelfmark.compat.model;

import java.util.Map;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** What a segment holds of an epoch, straight from Kafka's record. */
final class Epochs {

    private Epochs() {}

    static boolean has(RemoteLogSegmentMetadata segment, int epoch) {
        return segment.segmentLeaderEpochs().containsKey(epoch);
    }

    static long end(RemoteLogSegmentMetadata segment, int epoch) {
        Map.Entry<Integer, Long> next = segment.segmentLeaderEpochs().higherEntry(epoch);
        return next == null ? segment.endOffset() : next.getValue() - 1;
    }

    static boolean covers(RemoteLogSegmentMetadata segment, int epoch, long offset) {
        Long start = segment.segmentLeaderEpochs().get(epoch);
        return start != null && start <= offset && offset <= end(segment, epoch);
    }

    /** Whether it has a record of the epoch at or after the offset. */
    static boolean reaches(RemoteLogSegmentMetadata segment, int epoch, long offset) {
        Long start = segment.segmentLeaderEpochs().get(epoch);
        return start != null && start <= end(segment, epoch) && offset <= end(segment, epoch);
    }

    static boolean finished(RemoteLogSegmentMetadata segment) {
        return segment.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED;
    }
}
