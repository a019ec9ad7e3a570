package dev.shelfmark.compat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** What a broker's copy and expiration tasks report, in Kafka's own records. */
final class Uploads {

    private static final long WAIT_SECONDS = 60;

    private Uploads() {}

    static TopicIdPartition newPartition() {
        return new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
    }

    static RemoteLogSegmentMetadata started(TopicIdPartition partition, long start, long end) {
        return started(partition, start, end, Map.of(0, start));
    }

    static RemoteLogSegmentMetadata started(
            TopicIdPartition partition, long start, long end, Map<Integer, Long> epochs) {
        return new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, Uuid.randomUuid()),
                start,
                end,
                1_700_000_000_000L + end,
                1,
                1_700_000_001_000L,
                1_024,
                Optional.empty(),
                RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                epochs,
                false);
    }

    static RemoteLogSegmentMetadataUpdate update(RemoteLogSegmentMetadata segment, RemoteLogSegmentState state) {
        return update(segment, state, Optional.empty());
    }

    static RemoteLogSegmentMetadataUpdate update(
            RemoteLogSegmentMetadata segment, RemoteLogSegmentState state, Optional<CustomMetadata> custom) {
        return new RemoteLogSegmentMetadataUpdate(segment.remoteLogSegmentId(), 1_700_000_002_000L, custom, state, 2);
    }

    /** Reports an upload from its beginning to its end; how it is listed then. */
    static RemoteLogSegmentMetadata copy(RemoteLogMetadataManager manager, RemoteLogSegmentMetadata started)
            throws Exception {
        RemoteLogSegmentMetadataUpdate finished = update(started, RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        done(manager.addRemoteLogSegmentMetadata(started));
        done(manager.updateRemoteLogSegmentMetadata(finished));
        return started.createWithUpdates(finished);
    }

    static void done(CompletableFuture<Void> future) throws Exception {
        future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    static List<RemoteLogSegmentMetadata> toList(Iterator<RemoteLogSegmentMetadata> segments) {
        List<RemoteLogSegmentMetadata> list = new ArrayList<>();
        segments.forEachRemaining(list::add);
        return list;
    }
}
