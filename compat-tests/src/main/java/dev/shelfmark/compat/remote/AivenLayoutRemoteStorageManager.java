package dev.shelfmark.compat.remote;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.jspecify.annotations.Nullable;

/**
 * Keeps uploaded segments as files below a directory, named and described exactly as version 1 of Aiven's RemoteStorageManager does, without
 * compression and encryption; for tests.
 *
 * <p>It keeps {@code REMOTE_SIZE} and {@code OBJECT_KEY} as custom metadata, and refuses to fetch with any other bytes: so a catalogue that lost
 * them is found out by the first consumer.
 */
public final class AivenLayoutRemoteStorageManager implements RemoteStorageManager {

    private static final Pattern INDEX = Pattern.compile("\"(\\w+)\":\\{\"position\":(\\d+),\"size\":(\\d+)}");
    private static final int REMOTE_SIZE = 0;
    private static final int OBJECT_KEY = 2;
    private static final int FIELDS = 2;

    private volatile @Nullable Path root;

    /** Where a part of the indexes' object begins, and how long it is. */
    private record Part(int position, int size) {}

    @Override
    public void configure(Map<String, ?> configs) {
        root = Path.of(String.valueOf(configs.get(FileSystemRemoteStorageManager.DIRECTORY)));
    }

    private static String path(RemoteLogSegmentMetadata metadata) {
        return metadata.topicIdPartition().topic() + "-"
                + metadata.topicIdPartition().topicId() + "/"
                + metadata.topicIdPartition().partition() + "/"
                + String.format(java.util.Locale.ROOT, "%020d", metadata.startOffset()) + "-"
                + metadata.remoteLogSegmentId().id();
    }

    private Path file(RemoteLogSegmentMetadata metadata, String suffix) throws RemoteStorageException {
        Path directory = root;
        if (directory == null) {
            throw new RemoteStorageException("the remote storage is not configured");
        }
        return directory.resolve(path(metadata) + "." + suffix);
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data)
            throws RemoteStorageException {
        try {
            Path log = file(metadata, "log");
            Files.createDirectories(log.getParent());
            byte[] content = Files.readAllBytes(data.logSegment());
            Files.write(log, content);
            ByteArrayOutputStream indexes = new ByteArrayOutputStream();
            Map<IndexType, Part> parts = new EnumMap<>(IndexType.class);
            add(parts, indexes, IndexType.OFFSET, Files.readAllBytes(data.offsetIndex()));
            add(parts, indexes, IndexType.TIMESTAMP, Files.readAllBytes(data.timeIndex()));
            add(parts, indexes, IndexType.PRODUCER_SNAPSHOT, Files.readAllBytes(data.producerSnapshotIndex()));
            ByteBuffer epochs = data.leaderEpochIndex().duplicate();
            byte[] checkpoint = new byte[epochs.remaining()];
            epochs.get(checkpoint);
            add(parts, indexes, IndexType.LEADER_EPOCH, checkpoint);
            if (data.transactionIndex().isPresent()) {
                add(
                        parts,
                        indexes,
                        IndexType.TRANSACTION,
                        Files.readAllBytes(data.transactionIndex().get()));
            }
            Files.write(file(metadata, "indexes"), indexes.toByteArray());
            Files.writeString(file(metadata, "rsm-manifest"), manifest(metadata, content.length, parts));
            return Optional.of(new CustomMetadata(custom(metadata)));
        } catch (IOException e) {
            throw new RemoteStorageException("can't keep " + path(metadata), e);
        }
    }

    private static void add(Map<IndexType, Part> parts, ByteArrayOutputStream indexes, IndexType type, byte[] content) {
        parts.put(type, new Part(indexes.size(), content.length));
        indexes.writeBytes(content);
    }

    private static String name(IndexType type) {
        return switch (type) {
            case OFFSET -> "offset";
            case TIMESTAMP -> "timestamp";
            case PRODUCER_SNAPSHOT -> "producerSnapshot";
            case LEADER_EPOCH -> "leaderEpoch";
            case TRANSACTION -> "transaction";
        };
    }

    private static String manifest(RemoteLogSegmentMetadata metadata, int size, Map<IndexType, Part> parts) {
        StringBuilder indexes = new StringBuilder();
        parts.forEach((type, part) -> indexes.append(indexes.isEmpty() ? "" : ",")
                .append('"')
                .append(name(type))
                .append("\":{\"position\":")
                .append(part.position())
                .append(",\"size\":")
                .append(part.size())
                .append('}'));
        if (!parts.containsKey(IndexType.TRANSACTION)) {
            indexes.append(",\"transaction\":null");
        }
        StringBuilder epochs = new StringBuilder();
        metadata.segmentLeaderEpochs()
                .forEach((epoch, start) -> epochs.append(epochs.isEmpty() ? "" : ",")
                        .append('"')
                        .append(epoch)
                        .append("\":")
                        .append(start));
        return "{\"version\":\"1\",\"chunkIndex\":{\"type\":\"fixed\",\"originalChunkSize\":4194304,\"originalFileSize\":"
                + size
                + ",\"transformedChunkSize\":4194304,\"finalTransformedChunkSize\":" + size + "},\"segmentIndexes\":{"
                + indexes
                + "},\"compression\":false,\"remoteLogSegmentMetadata\":{\"remoteLogSegmentId\":{\"topicIdPartition\":{"
                + "\"topicId\":\"" + metadata.topicIdPartition().topicId() + "\",\"topicPartition\":{\"topic\":\""
                + metadata.topicIdPartition().topic() + "\",\"partition\":"
                + metadata.topicIdPartition().partition() + "}},\"id\":\""
                + metadata.remoteLogSegmentId().id() + "\"},\"startOffset\":" + metadata.startOffset()
                + ",\"endOffset\":" + metadata.endOffset() + ",\"maxTimestampMs\":" + metadata.maxTimestampMs()
                + ",\"brokerId\":" + metadata.brokerId() + ",\"eventTimestampMs\":" + metadata.eventTimestampMs()
                + ",\"segmentLeaderEpochs\":{" + epochs + "}}}";
    }

    /** Tagged fields: their count, and for each its tag, its size and its value. */
    private byte[] custom(RemoteLogSegmentMetadata metadata) throws IOException, RemoteStorageException {
        long size = 0;
        for (String suffix : new String[] {"log", "indexes", "rsm-manifest"}) {
            size += Files.size(file(metadata, suffix));
        }
        byte[] key = path(metadata).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        varint(FIELDS, fields);
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        varint(size << 1, value);
        tagged(REMOTE_SIZE, value, fields);
        value.reset();
        varint(key.length + 1L, value);
        value.writeBytes(key);
        tagged(OBJECT_KEY, value, fields);
        return fields.toByteArray();
    }

    private static void tagged(int tag, ByteArrayOutputStream value, ByteArrayOutputStream out) {
        varint(tag, out);
        varint(value.size(), out);
        out.writeBytes(value.toByteArray());
    }

    private static void varint(long number, ByteArrayOutputStream out) {
        long left = number;
        while (left > 0x7F) {
            out.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition)
            throws RemoteStorageException {
        return fetchLogSegment(metadata, startPosition, Integer.MAX_VALUE - 1);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition, int endPosition)
            throws RemoteStorageException {
        byte[] log = read(metadata, "log");
        int end = (int) Math.min(log.length, endPosition + 1L);
        return new ByteArrayInputStream(log, startPosition, Math.max(0, end - startPosition));
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type) throws RemoteStorageException {
        Matcher parts = INDEX.matcher(new String(read(metadata, "rsm-manifest"), StandardCharsets.UTF_8));
        while (parts.find()) {
            if (parts.group(1).equals(name(type))) {
                return new ByteArrayInputStream(
                        read(metadata, "indexes"), Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
            }
        }
        throw new RemoteResourceNotFoundException("no " + type + " of " + path(metadata));
    }

    private byte[] read(RemoteLogSegmentMetadata metadata, String suffix) throws RemoteStorageException {
        try {
            byte[] content = Files.readAllBytes(file(metadata, suffix));
            if (metadata.customMetadata().isEmpty()
                    || !Arrays.equals(metadata.customMetadata().get().value(), custom(metadata))) {
                throw new RemoteStorageException(
                        "the custom metadata handed over for " + path(metadata) + " is not what its upload returned");
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new RemoteResourceNotFoundException("no such object: " + path(metadata), e);
        } catch (IOException e) {
            throw new RemoteStorageException("can't read " + path(metadata), e);
        }
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) throws RemoteStorageException {
        try {
            for (String suffix : new String[] {"log", "indexes", "rsm-manifest"}) {
                Files.deleteIfExists(file(metadata, suffix));
            }
        } catch (IOException e) {
            throw new RemoteStorageException("can't delete " + path(metadata), e);
        }
    }

    @Override
    public void close() {}
}
