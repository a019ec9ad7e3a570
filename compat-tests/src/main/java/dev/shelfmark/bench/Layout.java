package dev.shelfmark.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/**
 * A topic's catalogue as a function of numbers, so that every answer can be checked without holding the catalogue in memory. Every
 * partition has had segments of {@value #OFFSETS} offsets each, one leader epoch and no custom metadata; the oldest are deleted.
 *
 * @param topic the topic's name; its id follows from it
 * @param partitions how many partitions
 * @param deleted how many segments of each partition are deleted, the first ones
 * @param live how many segments of each partition are there, after the deleted ones
 */
record Layout(String topic, int partitions, int deleted, int live) {

    static final int OFFSETS = 1_000;
    static final int EPOCH = 5;
    static final int BROKER = 1;
    static final int BYTES = 256 * 1024 * 1024;

    private static final long FIRST_TIMESTAMP_MS = 1_700_000_000_000L;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** How many segments are there in all. */
    long liveSegments() {
        return (long) partitions * live;
    }

    Uuid topicId() {
        return new Uuid(mix(topic.hashCode()), mix(topic.hashCode() + 1L));
    }

    TopicIdPartition partition(int partition) {
        return new TopicIdPartition(topicId(), partition, topic);
    }

    List<TopicIdPartition> all() {
        return IntStream.range(0, partitions).mapToObj(this::partition).toList();
    }

    /** The id of a segment: random to look at, and the same whenever it is asked for. */
    Uuid segmentId(int partition, long segment) {
        long number = (long) partition << 32 | segment;
        return new Uuid(mix(number + topic.hashCode() * MIX), mix(number));
    }

    static long startOffset(long segment) {
        return segment * OFFSETS;
    }

    static long endOffset(long segment) {
        return startOffset(segment) + OFFSETS - 1;
    }

    static long timestampMs(long segment) {
        return FIRST_TIMESTAMP_MS + segment * 60_000;
    }

    /** The first offset that is still there. */
    long firstOffset() {
        return startOffset(deleted);
    }

    /** The offset after the last one. */
    long nextOffset() {
        return startOffset((long) deleted + live);
    }

    RemoteLogSegmentMetadata segment(TopicIdPartition partition, long segment, RemoteLogSegmentState state) {
        return new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, segmentId(partition.partition(), segment)),
                startOffset(segment),
                endOffset(segment),
                timestampMs(segment),
                BROKER,
                timestampMs(segment),
                BYTES,
                Optional.empty(),
                state,
                Map.of(EPOCH, startOffset(segment)),
                true);
    }

    /** Fails when an answer is not the segment that holds an offset. */
    void check(RemoteLogSegmentMetadata answer, TopicIdPartition partition, long offset) {
        long segment = offset / OFFSETS;
        boolean right = answer.startOffset() == startOffset(segment)
                && answer.endOffset() == endOffset(segment)
                && answer.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED
                && answer.remoteLogSegmentId().id().equals(segmentId(partition.partition(), segment));
        if (!right) {
            throw new WrongAnswer("offset " + offset + " of " + partition + " is answered by " + answer);
        }
    }

    /** As settings of a probe. */
    Map<String, String> settings() {
        return Map.of(
                "layout.topic", topic,
                "layout.partitions", Integer.toString(partitions),
                "layout.deleted", Integer.toString(deleted),
                "layout.live", Integer.toString(live));
    }

    static Layout of(Settings settings) {
        return new Layout(
                settings.text("layout.topic"),
                settings.number("layout.partitions"),
                settings.number("layout.deleted"),
                settings.number("layout.live"));
    }

    private static long mix(long value) {
        long mixed = value + MIX;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
