package org.apache.kafka.server.log.remote.metadata.storage;

import java.util.Iterator;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;

/**
 * Kafka's own cache of one partition with its reads made public: they are package-private, hence this class's package. Works only where
 * one class loader has loaded both, as in tests.
 */
public final class OpenRemoteLogMetadataCache {

    private final RemoteLogMetadataCache cache = new RemoteLogMetadataCache();

    /** An empty cache that has caught up. */
    public OpenRemoteLogMetadataCache() {
        cache.markInitialized();
    }

    public void add(RemoteLogSegmentMetadata segment) {
        cache.addCopyInProgressSegment(segment);
    }

    public void update(RemoteLogSegmentMetadataUpdate update) throws RemoteResourceNotFoundException {
        cache.updateRemoteLogSegmentMetadata(update);
    }

    public Optional<RemoteLogSegmentMetadata> lookup(int epoch, long offset) {
        return cache.remoteLogSegmentMetadata(epoch, offset);
    }

    public Optional<RemoteLogSegmentMetadata> nextWithTxnIndex(int epoch, long offset) {
        return cache.nextSegmentWithTxnIndex(epoch, offset);
    }

    public Optional<Long> highestOffset(int epoch) {
        return cache.highestOffsetForEpoch(epoch);
    }

    public Iterator<RemoteLogSegmentMetadata> list() {
        return cache.listAllRemoteLogSegments();
    }

    public Iterator<RemoteLogSegmentMetadata> list(int epoch) throws RemoteResourceNotFoundException {
        return cache.listRemoteLogSegments(epoch);
    }
}
