package dev.shelfmark.bench;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Asks for what a manager may not be able to answer yet, as a broker's clients do: again until it can. */
final class Answers {

    private static final long PAUSE_NANOS = 5_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final RemoteLogMetadataManager manager;
    private final Layout layout;

    Answers(RemoteLogMetadataManager manager, Layout layout) {
        this.manager = manager;
        this.layout = layout;
    }

    /** Returns once a lookup is answered; a wrong answer fails. */
    void await(TopicIdPartition partition, long offset) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                right(manager.remoteLogSegmentMetadata(partition, Layout.EPOCH, offset), partition, offset);
                return;
            } catch (KafkaException | RemoteStorageException | IllegalStateException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(partition + " is not answered within " + LIMIT, e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Asks once; everything but the right answer fails. */
    void require(TopicIdPartition partition, long offset) {
        try {
            right(manager.remoteLogSegmentMetadata(partition, Layout.EPOCH, offset), partition, offset);
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("offset " + offset + " of " + partition + " is not answered", e);
        }
    }

    private void right(Optional<RemoteLogSegmentMetadata> answer, TopicIdPartition partition, long offset) {
        layout.check(
                answer.orElseThrow(() -> new WrongAnswer("no segment for offset " + offset + " of " + partition)),
                partition,
                offset);
    }
}
