package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/** Lookups, one timed after the other, each answer checked outside of its time. */
final class Lookups {

    private final RemoteLogMetadataManager manager;
    private final Layout layout;
    private final List<TopicIdPartition> partitions;

    Lookups(RemoteLogMetadataManager manager, Layout layout) {
        this.manager = manager;
        this.layout = layout;
        this.partitions = layout.all();
    }

    /** Asks all of them; how long each took, in nanoseconds. */
    long[] ask(Questions questions) throws RemoteStorageException {
        long[] nanos = new long[questions.count()];
        for (int i = 0; i < nanos.length; i++) {
            TopicIdPartition partition = partitions.get(questions.partition(i));
            long offset = questions.offset(i);
            long began = System.nanoTime();
            Optional<RemoteLogSegmentMetadata> answer =
                    manager.remoteLogSegmentMetadata(partition, Layout.EPOCH, offset);
            nanos[i] = System.nanoTime() - began;
            if (answer.isEmpty()) {
                throw new WrongAnswer("no segment for offset " + offset + " of " + partition);
            }
            layout.check(answer.get(), partition, offset);
        }
        return nanos;
    }

    /** The same from several threads at once, each with questions of its own. */
    Latencies ask(int threads, int each, long seed) {
        List<Callable<long[]>> askers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Questions questions = Questions.random(layout, each, seed + i);
            askers.add(() -> ask(questions));
        }
        return Latencies.of(Together.call(askers));
    }

    /** Asks the partitions in turn for their highest offset; how long each answer took, in nanoseconds. */
    long[] highest(int count) throws RemoteStorageException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            TopicIdPartition partition = partitions.get(i % partitions.size());
            long began = System.nanoTime();
            Optional<Long> highest = manager.highestOffsetForEpoch(partition, Layout.EPOCH);
            nanos[i] = System.nanoTime() - began;
            if (highest.isEmpty() || highest.get() != layout.nextOffset() - 1) {
                throw new WrongAnswer("the highest offset of " + partition + " is said to be " + highest);
            }
        }
        return nanos;
    }

    /** How many bytes a lookup allocates, on average. */
    double bytesPerLookup(Questions questions) throws RemoteStorageException {
        long before = Heap.allocatedByThisThread();
        long found = 0;
        for (int i = 0; i < questions.count(); i++) {
            found += manager.remoteLogSegmentMetadata(
                                    partitions.get(questions.partition(i)), Layout.EPOCH, questions.offset(i))
                            .isPresent()
                    ? 1
                    : 0;
        }
        long allocated = Heap.allocatedByThisThread() - before;
        if (found != questions.count()) {
            throw new WrongAnswer(questions.count() - found + " offsets were not found");
        }
        return (double) allocated / questions.count();
    }

    /** How many bytes the answer itself takes, made by Kafka's own constructors from numbers. */
    double bytesPerAnswer(Questions questions) {
        long before = Heap.allocatedByThisThread();
        long found = 0;
        for (int i = 0; i < questions.count(); i++) {
            TopicIdPartition partition = partitions.get(questions.partition(i));
            long segment = questions.offset(i) / Layout.OFFSETS;
            Optional<RemoteLogSegmentMetadata> answer = Optional.of(new RemoteLogSegmentMetadata(
                    new RemoteLogSegmentId(partition, new Uuid(segment, i)),
                    Layout.startOffset(segment),
                    Layout.endOffset(segment),
                    Layout.timestampMs(segment),
                    Layout.BROKER,
                    Layout.timestampMs(segment),
                    Layout.BYTES,
                    Optional.empty(),
                    RemoteLogSegmentState.COPY_SEGMENT_FINISHED,
                    Map.of(Layout.EPOCH, Layout.startOffset(segment)),
                    true));
            kept = answer;
            found += answer.get().startOffset() >= 0 ? 1 : 0;
        }
        long allocated = Heap.allocatedByThisThread() - before;
        if (found != questions.count()) {
            throw new IllegalStateException("made " + found + " answers");
        }
        return (double) allocated / questions.count();
    }

    /** Keeps the compiler from leaving the answers out. */
    private volatile Optional<RemoteLogSegmentMetadata> kept = Optional.empty();

    Optional<RemoteLogSegmentMetadata> kept() {
        return kept;
    }
}
