package dev.shelfmark.tool.storage.layout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.TextualId;
import java.io.IOException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Version 1 of the manifest of Aiven's RemoteStorageManager. Fields that are not known are passed over. */
record AivenManifest(
        SegmentName name,
        String topic,
        long startOffset,
        long endOffset,
        LeaderEpochs leaderEpochs,
        long maxTimestampMs,
        int sizeInBytes,
        boolean txnIndexEmpty,
        int brokerId,
        long eventTimestampMs) {

    private static final String VERSION = "1";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Of the manifest's bytes. */
    static AivenManifest parse(byte[] json) throws UnreadableSegmentException {
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UnreadableSegmentException(
                    "its manifest of " + json.length + " bytes is cut short or no JSON", e);
        }
        if (root == null || !root.isObject()) {
            throw new UnreadableSegmentException(
                    "its manifest of " + json.length + " bytes is empty or no JSON object");
        }
        String version = root.path("version").asText();
        if (!version.equals(VERSION)) {
            throw new UnreadableSegmentException("its manifest is of version '" + version
                    + "', and this build knows version '" + VERSION + "' only");
        }
        try {
            return of(root);
        } catch (IllegalArgumentException e) {
            throw new UnreadableSegmentException(
                    "its manifest contradicts itself or lacks a field: " + e.getMessage(), e);
        }
    }

    private static AivenManifest of(JsonNode root) {
        JsonNode metadata = object(root, "remoteLogSegmentMetadata");
        JsonNode id = object(metadata, "remoteLogSegmentId");
        JsonNode topicIdPartition = object(id, "topicIdPartition");
        JsonNode topicPartition = object(topicIdPartition, "topicPartition");
        return new AivenManifest(
                new SegmentName(
                        TextualId.parse(text(topicIdPartition, "topicId")),
                        Math.toIntExact(number(topicPartition, "partition")),
                        TextualId.parse(text(id, "id"))),
                text(topicPartition, "topic"),
                number(metadata, "startOffset"),
                number(metadata, "endOffset"),
                epochs(object(metadata, "segmentLeaderEpochs")),
                number(metadata, "maxTimestampMs"),
                size(number(object(root, "chunkIndex"), "originalFileSize")),
                txnIndexEmpty(root, metadata),
                Math.toIntExact(number(metadata, "brokerId")),
                number(metadata, "eventTimestampMs"));
    }

    /** The broker's own word first; else there is none when no part of the indexes is one. */
    private static boolean txnIndexEmpty(JsonNode root, JsonNode metadata) {
        if (metadata.path("txnIdxEmpty").asBoolean(false)) {
            return true;
        }
        JsonNode transaction = object(root, "segmentIndexes").path("transaction");
        return transaction.isMissingNode() || transaction.isNull() || number(transaction, "size") == 0;
    }

    private static LeaderEpochs epochs(JsonNode node) {
        TreeMap<Integer, Long> epochs = new TreeMap<>();
        node.fieldNames().forEachRemaining(epoch -> epochs.put(Integer.parseInt(epoch), number(node, epoch)));
        return LeaderEpochs.of(epochs);
    }

    private static int size(long bytes) {
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("chunkIndex.originalFileSize is " + bytes);
        }
        return (int) bytes;
    }

    private static JsonNode object(JsonNode parent, String field) {
        JsonNode node = parent.path(field);
        if (!node.isObject()) {
            throw new IllegalArgumentException("no object '" + field + "'");
        }
        return node;
    }

    private static String text(JsonNode parent, String field) {
        JsonNode node = parent.path(field);
        if (!node.isTextual()) {
            throw new IllegalArgumentException("no text '" + field + "'");
        }
        return node.asText();
    }

    private static long number(JsonNode parent, String field) {
        JsonNode node = parent.path(field);
        if (!node.canConvertToLong() || !node.isIntegralNumber()) {
            throw new IllegalArgumentException("no number '" + field + "'");
        }
        return node.asLong();
    }

    /** What it says of the segment. */
    SegmentDescription description(@Nullable CustomMetadata custom, long finishedMs) throws UnreadableSegmentException {
        if (startOffset < 0 || endOffset < startOffset) {
            throw new UnreadableSegmentException("its manifest has the offsets " + startOffset + " to " + endOffset);
        }
        return new SegmentDescription(
                topic,
                startOffset,
                endOffset,
                leaderEpochs,
                maxTimestampMs,
                sizeInBytes,
                txnIndexEmpty,
                custom,
                brokerId,
                eventTimestampMs,
                finishedMs);
    }
}
