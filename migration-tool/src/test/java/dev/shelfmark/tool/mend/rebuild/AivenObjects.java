package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** What Aiven's RemoteStorageManager would have put into a bucket for a segment. */
final class AivenObjects {

    private AivenObjects() {}

    static String key(String topic, UUID topicId, int partition, SegmentRecord segment, String file) {
        return topic + "-" + TextualId.of(topicId) + "/" + partition + "/" + "%020d".formatted(segment.startOffset())
                + "-" + TextualId.of(segment.segmentId()) + "." + file;
    }

    /** The manifest; the segment's own broker and time are those of the begin of its upload. */
    static byte[] manifest(String topic, UUID topicId, int partition, SegmentRecord segment, boolean tellsEmpty) {
        StringBuilder epochs = new StringBuilder();
        segment.leaderEpochs()
                .toMap()
                .forEach((epoch, start) -> epochs.append(epochs.isEmpty() ? "" : ",")
                        .append('"')
                        .append(epoch)
                        .append("\":")
                        .append(start));
        String transaction = segment.txnIndexEmpty() ? "" : ",\"transaction\":{\"position\":300,\"size\":34}";
        return ("{\"version\":\"1\",\"chunkIndex\":{\"type\":\"fixed\",\"originalChunkSize\":4096,\"originalFileSize\":"
                        + segment.sizeInBytes() + ",\"transformedChunkSize\":4096,\"finalTransformedChunkSize\":1},"
                        + "\"segmentIndexes\":{\"offset\":{\"position\":0,\"size\":100},\"timestamp\":{\"position\":100,\"size\":100},"
                        + "\"producerSnapshot\":{\"position\":200,\"size\":50},\"leaderEpoch\":{\"position\":250,\"size\":50}"
                        + transaction + "},\"compression\":false,\"remoteLogSegmentMetadata\":{\"remoteLogSegmentId\":"
                        + "{\"topicIdPartition\":{\"topicId\":\"" + TextualId.of(topicId)
                        + "\",\"topicPartition\":{\"topic\":\""
                        + topic + "\",\"partition\":" + partition + "}},\"id\":\"" + TextualId.of(segment.segmentId())
                        + "\"},\"startOffset\":" + segment.startOffset() + ",\"endOffset\":" + segment.endOffset()
                        + ",\"maxTimestampMs\":" + segment.maxTimestampMs() + ",\"brokerId\":" + segment.brokerId()
                        + ",\"eventTimestampMs\":" + segment.eventTimestampMs() + ",\"segmentLeaderEpochs\":{" + epochs
                        + "}"
                        + (tellsEmpty ? ",\"txnIdxEmpty\":" + segment.txnIndexEmpty() : "") + "}}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
