package dev.shelfmark.plugin;

import dev.shelfmark.catalogue.SegmentColumns;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Makes a partition's answers, and hands one out again while the same segment is asked for and has not changed: a consumer that reads on asks
 * for each of them many times. It is kept from the second time on, so that lookups here and there leave nothing behind. Kafka's records
 * are immutable, so that sharing one is safe.
 */
final class LastAnswer implements SegmentColumns.Reader<RemoteLogSegmentMetadata> {

    private final TopicIdPartition partition;
    private volatile @Nullable RemoteLogSegmentMetadata last;

    /** A part of the id that was asked for last: only a hint, which spares a look at the answer itself. */
    private volatile long lastIdLow;

    LastAnswer(TopicIdPartition partition) {
        this.partition = partition;
    }

    @Override
    public RemoteLogSegmentMetadata read(SegmentColumns segments, int position) {
        long idLow = segments.idLow(position);
        boolean again = lastIdLow == idLow;
        if (again) {
            RemoteLogSegmentMetadata made = last;
            if (made != null && says(made, segments, position)) {
                return made;
            }
        }
        RemoteLogSegmentMetadata answer = KafkaMapping.segment(partition, segments, position);
        if (again) {
            last = answer;
        } else {
            lastIdLow = idLow;
        }
        return answer;
    }

    /** Whether an answer is of this segment and of its last change; what no change can touch need not be compared. */
    private static boolean says(RemoteLogSegmentMetadata answer, SegmentColumns segments, int position) {
        Uuid id = answer.remoteLogSegmentId().id();
        return id.getLeastSignificantBits() == segments.idLow(position)
                && id.getMostSignificantBits() == segments.idHigh(position)
                && answer.eventTimestampMs() == segments.eventTimestampMs(position)
                && answer.brokerId() == segments.brokerId(position)
                && answer.state() == KafkaMapping.state(segments.state(position))
                && KafkaMapping.sameCustom(answer, segments.customMetadata(position));
    }
}
