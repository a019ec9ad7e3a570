package dev.shelfmark.tool.migrate.exporting;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.KafkaCaches;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;

/**
 * The events that must follow those in the topic so that Kafka's cache of a partition says what the catalogue says. Empty when it
 * does already, so a repeat adds nothing.
 *
 * <ul>
 *   <li>A segment that the cache lacks is added and brought to its state; one that is behind is brought on. In the order in which
 *       segments were finished, because of two that overlap Kafka's cache keeps the later.
 *   <li>A segment that the catalogue has deleted since is deleted.
 *   <li>A highest offset that no segment of the cache has reached, because the segment came and went in the catalogue alone, is
 *       raised by a segment of one offset that is added, finished and deleted at once. No object belongs to it. One that was cut short
 *       is led to its end.
 * </ul>
 */
final class PartitionPlan {

    private static final Comparator<SegmentRecord> AS_FINISHED = Comparator.comparingLong((SegmentRecord segment) ->
                    segment.finishedVersion() > 0 ? segment.finishedVersion() : segment.version())
            .thenComparingLong(SegmentRecord::version);

    private final TopicIdPartition partition;
    private final Map<Uuid, RemoteLogSegmentMetadata> theirs = new HashMap<>();
    private final Map<Integer, Long> reached = new HashMap<>();
    private final List<RemoteLogMetadata> events = new ArrayList<>();
    private final KafkaCaches kafka;
    private final boolean known;

    private PartitionPlan(TopicIdPartition partition, KafkaCaches kafka, boolean known) {
        this.partition = partition;
        this.kafka = kafka;
        this.known = known;
    }

    /**
     * @param partition as Kafka names it
     * @param kafka what the topic says now
     * @param known whether the topic has events of the partition
     * @param vouched whether a segment that only the topic has is known to be deleted, and not just unknown
     * @param head of the partition in the catalogue
     * @param records every record that the catalogue has of it, deleted ones included
     * @throws ToolFailure when the topic says more than the catalogue
     */
    static List<RemoteLogMetadata> events(
            TopicIdPartition partition,
            KafkaCaches kafka,
            boolean known,
            Predicate<RemoteLogSegmentMetadata> vouched,
            PartitionHead head,
            Collection<SegmentRecord> records) {
        PartitionPlan plan = new PartitionPlan(partition, kafka, known);
        plan.make(vouched, head, records);
        return plan.events;
    }

    private void make(
            Predicate<RemoteLogSegmentMetadata> vouched, PartitionHead head, Collection<SegmentRecord> records) {
        boolean over = head.deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED;
        if (known && kafka.deleted(partition)) {
            if (!over) {
                throw ahead("the partition as deleted");
            }
            return;
        }
        if (known) {
            kafka.list(partition)
                    .forEach(segment -> theirs.put(segment.remoteLogSegmentId().id(), segment));
        }
        records.stream().sorted(AS_FINISHED).forEach(this::bring);
        for (RemoteLogSegmentMetadata rest : List.copyOf(theirs.values())) {
            boolean marker = marker(rest);
            if (!marker && !vouched.test(rest)) {
                throw ahead("segment " + rest.remoteLogSegmentId().id()
                        + ", of which the catalogue has never heard; if its record was removed after its deletion,"
                        + " --forget-unknown deletes it from the topic as well");
            }
            if (marker && rest.state() == RemoteLogSegmentState.COPY_SEGMENT_STARTED) {
                finish(rest);
            }
            delete(rest, rest.brokerId(), rest.eventTimestampMs());
        }
        head.highestOffsets().forEach(this::raise);
        if (over) {
            events.add(new RemotePartitionDeleteMetadata(
                    partition, RemotePartitionDeleteState.DELETE_PARTITION_FINISHED, latest(records), broker(records)));
        }
    }

    private void bring(SegmentRecord ours) {
        Uuid id = KafkaMapping.uuid(ours.segmentId());
        RemoteLogSegmentMetadata now = theirs.remove(id);
        if (ours.state() == SegmentState.DELETE_SEGMENT_FINISHED) {
            if (now != null) {
                delete(now, ours.brokerId(), ours.eventTimestampMs());
            }
            return;
        }
        RemoteLogSegmentMetadata wanted = KafkaMapping.segment(partition, ours);
        if (now == null) {
            events.add(in(wanted, RemoteLogSegmentState.COPY_SEGMENT_STARTED));
            if (ours.finishedVersion() > 0) {
                finish(wanted);
            }
            if (ours.state() == SegmentState.DELETE_SEGMENT_STARTED) {
                update(wanted, RemoteLogSegmentState.DELETE_SEGMENT_STARTED);
            }
        } else if (!now.equals(wanted)) {
            if (!in(now, wanted).equals(wanted)) {
                throw ahead("segment " + id + " with other offsets, epochs or sizes");
            }
            bringOn(now, wanted, ours.finishedVersion() > 0);
        }
    }

    /** From what the topic says of a segment to what it should say. */
    private void bringOn(RemoteLogSegmentMetadata now, RemoteLogSegmentMetadata wanted, boolean finished) {
        if (now.state() != wanted.state() && !RemoteLogSegmentState.isValidTransition(now.state(), wanted.state())) {
            throw ahead("segment " + now.remoteLogSegmentId().id() + " as " + now.state());
        }
        if (wanted.state() == RemoteLogSegmentState.COPY_SEGMENT_STARTED) {
            events.add(wanted);
            return;
        }
        boolean notYet = now.state() == RemoteLogSegmentState.COPY_SEGMENT_STARTED;
        if (wanted.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED || (notYet && finished)) {
            finish(wanted);
        }
        if (wanted.state() == RemoteLogSegmentState.DELETE_SEGMENT_STARTED) {
            update(wanted, RemoteLogSegmentState.DELETE_SEGMENT_STARTED);
        }
    }

    private void finish(RemoteLogSegmentMetadata segment) {
        update(segment, RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
        LeaderEpochs epochs = LeaderEpochs.of(segment.segmentLeaderEpochs());
        for (int i = 0; i < epochs.size(); i++) {
            reached.merge(epochs.epoch(i), epochs.endOffset(i, segment.endOffset()), Math::max);
        }
    }

    private void update(RemoteLogSegmentMetadata segment, RemoteLogSegmentState state) {
        events.add(new RemoteLogSegmentMetadataUpdate(
                segment.remoteLogSegmentId(),
                segment.eventTimestampMs(),
                segment.customMetadata(),
                state,
                segment.brokerId()));
    }

    private void delete(RemoteLogSegmentMetadata segment, int broker, long timestamp) {
        if (segment.state() != RemoteLogSegmentState.DELETE_SEGMENT_STARTED) {
            events.add(deletion(segment, RemoteLogSegmentState.DELETE_SEGMENT_STARTED, broker, timestamp));
        }
        events.add(deletion(segment, RemoteLogSegmentState.DELETE_SEGMENT_FINISHED, broker, timestamp));
    }

    private static RemoteLogSegmentMetadataUpdate deletion(
            RemoteLogSegmentMetadata segment, RemoteLogSegmentState state, int broker, long timestamp) {
        return new RemoteLogSegmentMetadataUpdate(
                segment.remoteLogSegmentId(), timestamp, segment.customMetadata(), state, broker);
    }

    private void raise(int epoch, long highest) {
        Optional<Long> inTopic = known ? kafka.highestOffset(partition, epoch) : Optional.empty();
        long stands = Math.max(inTopic.orElse(-1L), reached.getOrDefault(epoch, -1L));
        if (stands > highest) {
            throw ahead("offset " + stands + " as the highest of epoch " + epoch + ", the catalogue " + highest);
        }
        if (stands < highest) {
            RemoteLogSegmentMetadata marker = new RemoteLogSegmentMetadata(
                    new RemoteLogSegmentId(partition, Uuid.randomUuid()),
                    highest,
                    highest,
                    0,
                    0,
                    0,
                    0,
                    Optional.empty(),
                    RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                    Map.of(epoch, highest),
                    true);
            events.add(marker);
            update(marker, RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
            delete(marker, 0, 0);
        }
    }

    /** Whether a segment is such a one that raises a highest offset: without bytes, as none is that a broker copies. */
    private static boolean marker(RemoteLogSegmentMetadata segment) {
        return segment.segmentSizeInBytes() == 0
                && segment.startOffset() == segment.endOffset()
                && segment.segmentLeaderEpochs().size() == 1
                && segment.maxTimestampMs() == 0
                && segment.eventTimestampMs() == 0
                && segment.isTxnIdxEmpty()
                && segment.customMetadata().isEmpty();
    }

    private static RemoteLogSegmentMetadata in(RemoteLogSegmentMetadata segment, RemoteLogSegmentState state) {
        return new RemoteLogSegmentMetadata(
                segment.remoteLogSegmentId(),
                segment.startOffset(),
                segment.endOffset(),
                segment.maxTimestampMs(),
                segment.brokerId(),
                segment.eventTimestampMs(),
                segment.segmentSizeInBytes(),
                segment.customMetadata(),
                state,
                segment.segmentLeaderEpochs(),
                segment.isTxnIdxEmpty());
    }

    /** A segment with all that an update can change taken from another. */
    private static RemoteLogSegmentMetadata in(RemoteLogSegmentMetadata segment, RemoteLogSegmentMetadata from) {
        return new RemoteLogSegmentMetadata(
                segment.remoteLogSegmentId(),
                segment.startOffset(),
                segment.endOffset(),
                segment.maxTimestampMs(),
                from.brokerId(),
                from.eventTimestampMs(),
                segment.segmentSizeInBytes(),
                from.customMetadata(),
                from.state(),
                segment.segmentLeaderEpochs(),
                segment.isTxnIdxEmpty());
    }

    private static long latest(Collection<SegmentRecord> records) {
        return records.stream().mapToLong(SegmentRecord::eventTimestampMs).max().orElse(0);
    }

    private static int broker(Collection<SegmentRecord> records) {
        return records.stream().max(AS_FINISHED).map(SegmentRecord::brokerId).orElse(0);
    }

    private ToolFailure ahead(String what) {
        return ToolFailure.refused("the topic says more of " + partition + " than the catalogue: it has " + what
                + ". Nothing was written for this partition. Run 'shelfmark verify', and 'shelfmark import' if the topic"
                + " was written to since");
    }
}
