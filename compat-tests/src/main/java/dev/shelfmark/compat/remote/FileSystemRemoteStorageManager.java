package dev.shelfmark.compat.remote;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.jspecify.annotations.Nullable;

/**
 * Keeps uploaded segments as files, for tests and demonstrations; all brokers of a cluster share the directory.
 *
 * <p>It is stricter than a storage need be: each upload returns custom metadata, and a fetch or a deletion that comes without
 * these very bytes fails. So a catalogue that loses or mixes them up is found out by the first consumer.
 */
public final class FileSystemRemoteStorageManager implements RemoteStorageManager {

    /** Where the segments are kept. */
    public static final String DIRECTORY = "directory";

    /** Where tests put their marker files, see {@link StorageControl}. */
    public static final String CONTROL_DIRECTORY = "control.directory";

    private static final ConfigDef CONFIG = new ConfigDef()
            .define(DIRECTORY, ConfigDef.Type.STRING, Importance.HIGH, "Where the segments are kept.")
            .define(CONTROL_DIRECTORY, ConfigDef.Type.STRING, Importance.LOW, "Where tests put their marker files.");

    private volatile @Nullable Settings settings;

    private record Settings(Path directory, StorageControl control) {}

    @FunctionalInterface
    private interface Work<T> {
        T run(SegmentDirectory segment) throws IOException, RemoteStorageException;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG, configs, false);
        settings = new Settings(
                Path.of(config.getString(DIRECTORY)), new StorageControl(Path.of(config.getString(CONTROL_DIRECTORY))));
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data)
            throws RemoteStorageException {
        return at(
                StoragePoint.BEFORE_COPY,
                StoragePoint.AFTER_COPY,
                metadata,
                segment -> Optional.of(segment.write(data)));
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition)
            throws RemoteStorageException {
        return fetchLogSegment(metadata, startPosition, Integer.MAX_VALUE - 1);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition, int endPosition)
            throws RemoteStorageException {
        return at(StoragePoint.BEFORE_FETCH, null, metadata, segment -> {
            requireFaithful(metadata, segment);
            FileChannel channel = FileChannel.open(segment.segment(), StandardOpenOption.READ);
            channel.position(startPosition);
            long length = (long) endPosition - startPosition + 1;
            return new Range(new BufferedInputStream(Channels.newInputStream(channel)), length);
        });
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type) throws RemoteStorageException {
        return at(StoragePoint.BEFORE_FETCH, null, metadata, segment -> {
            requireFaithful(metadata, segment);
            return Files.newInputStream(segment.index(type));
        });
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) throws RemoteStorageException {
        at(StoragePoint.BEFORE_DELETE, StoragePoint.AFTER_DELETE, metadata, segment -> {
            // An upload that never finished has left no custom metadata in the catalogue.
            if (segment.exists() && metadata.customMetadata().isPresent()) {
                requireFaithful(metadata, segment);
            }
            segment.delete();
            return segment;
        });
    }

    @Override
    public void close() {}

    private static void requireFaithful(RemoteLogSegmentMetadata metadata, SegmentDirectory segment)
            throws IOException, RemoteStorageException {
        if (!segment.exists()) {
            throw new RemoteResourceNotFoundException("no segment in " + segment);
        }
        if (!segment.wrote(metadata.customMetadata())) {
            throw new RemoteStorageException(
                    "the custom metadata handed over for " + segment + " is not what its upload returned");
        }
    }

    private <T> T at(StoragePoint before, @Nullable StoragePoint after, RemoteLogSegmentMetadata metadata, Work<T> work)
            throws RemoteStorageException {
        Settings current = settings;
        if (current == null) {
            throw new RemoteStorageException("the remote storage is not configured");
        }
        SegmentDirectory segment = new SegmentDirectory(current.directory(), metadata);
        try {
            current.control().pass(before);
            T result = work.run(segment);
            if (after != null) {
                current.control().pass(after);
            }
            return result;
        } catch (NoSuchFileException e) {
            throw new RemoteResourceNotFoundException("no such file in " + segment, e);
        } catch (IOException e) {
            throw new RemoteStorageException("the remote storage failed at " + segment, e);
        }
    }

    /** Ends after so many bytes. */
    private static final class Range extends FilterInputStream {

        private long left;

        Range(InputStream content, long length) {
            super(content);
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            if (left <= 0) {
                return -1;
            }
            int read = super.read();
            left -= read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left <= 0) {
                return length == 0 ? 0 : -1;
            }
            int read = super.read(into, offset, (int) Math.min(length, left));
            left -= Math.max(read, 0);
            return read;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
