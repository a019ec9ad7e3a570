package dev.shelfmark.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;

/**
 * A manager to measure.
 *
 * @param manager opened a moment ago
 * @param openedNanos when it began to be opened, by {@link System#nanoTime()}
 */
record ManagerUnderTest(RemoteLogMetadataManager manager, long openedNanos) implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    static ManagerUnderTest open(Settings settings) {
        long began = System.nanoTime();
        return new ManagerUnderTest(Backend.valueOf(settings.text(Probe.SIDE)).open(settings), began);
    }

    /** Makes the broker the leader of a topic's partitions. */
    void lead(Layout layout) {
        manager.onPartitionLeadershipChanges(Set.copyOf(layout.all()), Set.of());
    }

    /** Makes the broker a follower of a topic's partitions. */
    void follow(Layout layout) {
        manager.onPartitionLeadershipChanges(Set.of(), Set.copyOf(layout.all()));
    }

    /** Returns once the manager calls itself ready for every partition. */
    void awaitReady(Layout layout) {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        for (TopicIdPartition partition : layout.all()) {
            while (!manager.isReady(partition)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(partition + " is not ready within " + READY_LIMIT);
                }
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    @Override
    public void close() {
        try {
            manager.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing failed", e);
        }
    }
}
