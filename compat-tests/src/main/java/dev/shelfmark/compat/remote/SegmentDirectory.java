package dev.shelfmark.compat.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager.IndexType;
import org.jspecify.annotations.Nullable;

/**
 * The files of one uploaded segment: {@code <root>/<topic id>/<partition>/<segment id>/}, holding {@code segment},
 * {@code custom-metadata} and one file per index. The directory appears complete or not at all.
 */
final class SegmentDirectory {

    private static final String SEGMENT = "segment";
    private static final String CUSTOM_METADATA = "custom-metadata";

    private final Path directory;

    SegmentDirectory(Path root, RemoteLogSegmentMetadata metadata) {
        this.directory = root.resolve(metadata.topicIdPartition().topicId().toString())
                .resolve(Integer.toString(metadata.topicIdPartition().partition()))
                .resolve(metadata.remoteLogSegmentId().id().toString());
    }

    CustomMetadata write(LogSegmentData data) throws IOException {
        Path partial = directory.resolveSibling(directory.getFileName() + ".part");
        deleteTree(partial);
        Files.createDirectories(partial);
        Files.copy(data.logSegment(), partial.resolve(SEGMENT));
        Files.copy(data.offsetIndex(), partial.resolve(IndexType.OFFSET.name()));
        Files.copy(data.timeIndex(), partial.resolve(IndexType.TIMESTAMP.name()));
        Files.copy(data.producerSnapshotIndex(), partial.resolve(IndexType.PRODUCER_SNAPSHOT.name()));
        Files.write(partial.resolve(IndexType.LEADER_EPOCH.name()), bytes(data.leaderEpochIndex()));
        Optional<Path> transactions = data.transactionIndex();
        if (transactions.isPresent()) {
            Files.copy(transactions.get(), partial.resolve(IndexType.TRANSACTION.name()));
        }
        byte[] custom = fingerprint(partial.resolve(SEGMENT));
        Files.write(partial.resolve(CUSTOM_METADATA), custom);

        deleteTree(directory);
        Files.move(partial, directory, StandardCopyOption.ATOMIC_MOVE);
        return new CustomMetadata(custom);
    }

    boolean exists() {
        return Files.isDirectory(directory);
    }

    /** Whether these are the very bytes that {@link #write} returned: only then did the catalogue keep them faithfully. */
    boolean wrote(Optional<CustomMetadata> custom) throws IOException {
        return custom.isPresent()
                && Arrays.equals(custom.get().value(), Files.readAllBytes(directory.resolve(CUSTOM_METADATA)));
    }

    Path segment() {
        return directory.resolve(SEGMENT);
    }

    Path index(IndexType type) {
        return directory.resolve(type.name());
    }

    void delete() throws IOException {
        deleteTree(directory);
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private static byte[] fingerprint(Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] content = Files.readAllBytes(file);
        checksum.update(content);
        return ("crc32c=" + Long.toHexString(checksum.getValue()) + " bytes=" + content.length)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] content = new byte[buffer.remaining()];
        buffer.duplicate().get(content);
        return content;
    }

    private static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
