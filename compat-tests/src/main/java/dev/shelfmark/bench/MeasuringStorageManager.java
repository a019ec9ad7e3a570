package dev.shelfmark.bench;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/**
 * Measures a start within the start of a broker: the broker configures its remote storage immediately before its catalogue, so that one opened
 * here finds the JVM, and the machine, as the broker's own does. It stores nothing.
 */
public final class MeasuringStorageManager implements RemoteStorageManager {

    /** The setting that names the file that tells it what. */
    static final String TOLD = "told";

    /** The setting that names the file for the results. */
    static final String ANSWER = "answer";

    @Override
    public void configure(Map<String, ?> configs) {
        Results results = new Results();
        Reading.first(Settings.read(Path.of((String) configs.get(TOLD))), results);
        results.settings().write(Path.of((String) configs.get(ANSWER)));
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data) {
        throw storesNothing();
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition) {
        throw storesNothing();
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition, int endPosition) {
        throw storesNothing();
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType indexType) {
        throw storesNothing();
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) {
        throw storesNothing();
    }

    private static UnsupportedOperationException storesNothing() {
        return new UnsupportedOperationException("this storage only measures");
    }

    @Override
    public void close() {}
}
