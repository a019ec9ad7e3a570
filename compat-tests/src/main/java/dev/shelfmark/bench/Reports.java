package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** What a broker reports of segments, and waits for. */
final class Reports {

    private static final long LIMIT_SECONDS = 120;

    private final RemoteLogMetadataManager manager;
    private final Layout layout;

    Reports(RemoteLogMetadataManager manager, Layout layout) {
        this.manager = manager;
        this.layout = layout;
    }

    /** Reports that a segment reaches a state. */
    CompletableFuture<Void> report(TopicIdPartition partition, long segment, RemoteLogSegmentState state) {
        try {
            return state == RemoteLogSegmentState.COPY_SEGMENT_STARTED
                    ? manager.addRemoteLogSegmentMetadata(layout.segment(partition, segment, state))
                    : manager.updateRemoteLogSegmentMetadata(new RemoteLogSegmentMetadataUpdate(
                            new RemoteLogSegmentId(partition, layout.segmentId(partition.partition(), segment)),
                            Layout.timestampMs(segment),
                            Optional.empty(),
                            state,
                            Layout.BROKER));
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a report was refused", e);
        }
    }

    /** Reports the same of many segments at once and waits for all. */
    void reportAll(TopicIdPartition partition, long from, long to, RemoteLogSegmentState state) {
        List<CompletableFuture<Void>> reports = new ArrayList<>();
        for (long segment = from; segment < to; segment++) {
            reports.add(report(partition, segment, state));
        }
        await(CompletableFuture.allOf(reports.toArray(new CompletableFuture<?>[0])));
    }

    static void await(CompletableFuture<Void> report) {
        try {
            report.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a report failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("a report is not done within " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Fails when a partition has not as many segments as it should, or not its highest offset. */
    void check(TopicIdPartition partition, long segments, long everReported) {
        try {
            long found = 0;
            for (Iterator<RemoteLogSegmentMetadata> all = manager.listRemoteLogSegments(partition); all.hasNext(); ) {
                all.next();
                found++;
            }
            long highest =
                    manager.highestOffsetForEpoch(partition, Layout.EPOCH).orElse(-1L);
            long expected = everReported == 0 ? -1 : Layout.endOffset(everReported - 1);
            if (found != segments || highest != expected) {
                throw new WrongAnswer(partition + " has " + found + " segments instead of " + segments
                        + " and the highest offset " + highest);
            }
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a list was not answered", e);
        }
    }
}
