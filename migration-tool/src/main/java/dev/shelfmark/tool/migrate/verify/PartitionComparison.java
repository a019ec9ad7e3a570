package dev.shelfmark.tool.migrate.verify;

import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.tool.migrate.verify.Difference.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.metadata.storage.KafkaCaches;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.jspecify.annotations.Nullable;

/** Asks Kafka's cache and the catalogue every question about one partition on which their answers could differ. */
final class PartitionComparison {

    private final KafkaCaches kafka;
    private final SegmentCatalogue catalogue;
    private final TopicIdPartition partition;
    private final PartitionKey key;
    private final Consumer<Difference> differences;
    private long questions;

    PartitionComparison(
            KafkaCaches kafka,
            SegmentCatalogue catalogue,
            TopicIdPartition partition,
            PartitionKey key,
            Consumer<Difference> differences) {
        this.kafka = kafka;
        this.catalogue = catalogue;
        this.partition = partition;
        this.key = key;
        this.differences = differences;
    }

    /** How many questions were asked. */
    long questions() {
        return questions;
    }

    void compare(PartitionHead head) {
        boolean deleted = head.deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED;
        if (deleted || kafka.deleted(partition)) {
            questions++;
            if (deleted != kafka.deleted(partition)) {
                differ(Kind.DELETION, "deleted", kafka.deleted(partition), deleted);
            }
            return;
        }
        List<RemoteLogSegmentMetadata> theirs = kafka.list(partition);
        List<RemoteLogSegmentMetadata> ours =
                all(catalogue.list(key, segment -> KafkaMapping.segment(partition, segment)));
        segments(theirs, ours);
        Set<Integer> epochs = new TreeSet<>(head.highestOffsets().keySet());
        theirs.forEach(segment -> epochs.addAll(segment.segmentLeaderEpochs().keySet()));
        ours.forEach(segment -> epochs.addAll(segment.segmentLeaderEpochs().keySet()));
        for (int epoch : epochs) {
            highest(epoch);
            lists(epoch);
        }
        for (RemoteLogSegmentMetadata segment : theirs) {
            boundaries(segment);
        }
    }

    private void segments(List<RemoteLogSegmentMetadata> theirs, List<RemoteLogSegmentMetadata> ours) {
        Map<Uuid, RemoteLogSegmentMetadata> rest = new HashMap<>();
        theirs.forEach(segment -> rest.put(id(segment), segment));
        for (RemoteLogSegmentMetadata segment : ours) {
            questions++;
            RemoteLogSegmentMetadata their = rest.remove(id(segment));
            if (their == null) {
                differ(Kind.SEGMENT, "segment " + id(segment), "none", segment.state());
            } else if (!their.equals(segment)) {
                differ(Kind.FIELDS, "segment " + id(segment), their, segment);
            }
        }
        rest.values().forEach(their -> differ(Kind.SEGMENT, "segment " + id(their), their.state(), "none"));
    }

    private void highest(int epoch) {
        questions++;
        Optional<Long> theirs = kafka.highestOffset(partition, epoch);
        Optional<Long> ours = catalogue.highestOffset(key, epoch);
        if (!theirs.equals(ours)) {
            differ(Kind.HIGHEST_OFFSET, "highest offset of epoch " + epoch, theirs, ours);
        }
    }

    private void lists(int epoch) {
        questions++;
        List<RemoteLogSegmentMetadata> theirs = kafka.list(partition, epoch);
        List<RemoteLogSegmentMetadata> ours =
                all(catalogue.list(key, epoch, segment -> KafkaMapping.segment(partition, segment)));
        String question = "list of epoch " + epoch;
        Set<Uuid> theirIds = ids(theirs);
        Set<Uuid> ourIds = ids(ours);
        theirs.stream().filter(segment -> !ourIds.contains(id(segment))).forEach(segment -> {
            // Kafka keeps a segment under the epochs of its first record, even when a repeat has named others.
            boolean renamed = !segment.segmentLeaderEpochs().containsKey(epoch);
            if (!renamed) {
                differ(Kind.LIST, question, id(segment), "lacks it");
            }
        });
        ours.stream()
                .filter(segment -> !theirIds.contains(id(segment)))
                .forEach(segment -> differ(Kind.LEAKED_FROM_KAFKAS_LIST, question, "lacks it", id(segment)));
        for (int i = 1; i < ours.size(); i++) {
            if (ours.get(i - 1).startOffset() > ours.get(i).startOffset()) {
                differ(Kind.LIST, question, "ascending", "not in order at " + id(ours.get(i)));
            }
        }
    }

    /** Where an answer could change: at the ends of the segment's range within each of its epochs, and one beyond. */
    private void boundaries(RemoteLogSegmentMetadata segment) {
        LeaderEpochs epochs = LeaderEpochs.of(segment.segmentLeaderEpochs());
        for (int i = 0; i < epochs.size(); i++) {
            long start = epochs.startOffset(i);
            long end = epochs.endOffset(i, segment.endOffset());
            for (long offset : new long[] {start - 1, start, end, end + 1}) {
                if (offset >= 0) {
                    lookup(epochs.epoch(i), offset);
                }
            }
        }
    }

    private void lookup(int epoch, long offset) {
        questions++;
        RemoteLogSegmentMetadata theirs = kafka.lookup(partition, epoch, offset).orElse(null);
        RemoteLogSegmentMetadata ours = catalogue
                .lookup(key, epoch, offset, segment -> KafkaMapping.segment(partition, segment))
                .orElse(null);
        if (Objects.equals(theirs, ours)) {
            return;
        }
        String question = "lookup of offset " + offset + " in epoch " + epoch;
        Kind kind = Kind.LOOKUP;
        if (ours != null && answers(ours, epoch, offset)) {
            kind = theirs == null ? Kind.READ_HOLE_IN_KAFKA : Kind.NEWER_COPY;
            if (theirs != null && id(theirs).equals(id(ours))) {
                kind = Kind.FIELDS;
            }
        }
        differ(kind, question, brief(theirs), brief(ours));
    }

    private static boolean answers(RemoteLogSegmentMetadata segment, int epoch, long offset) {
        LeaderEpochs epochs = LeaderEpochs.of(segment.segmentLeaderEpochs());
        return segment.state() == RemoteLogSegmentState.COPY_SEGMENT_FINISHED
                && epochs.holds(epochs.position(epoch), offset, segment.endOffset());
    }

    private static String brief(@Nullable RemoteLogSegmentMetadata segment) {
        return segment == null
                ? "none"
                : "segment " + id(segment) + " [" + segment.startOffset() + "-" + segment.endOffset() + "] "
                        + segment.state();
    }

    private void differ(Kind kind, String question, Object theirs, Object ours) {
        differences.accept(new Difference(
                kind,
                partition.topic(),
                partition.topicId().toString(),
                partition.partition(),
                question,
                theirs.toString(),
                ours.toString()));
    }

    private static Uuid id(RemoteLogSegmentMetadata segment) {
        return segment.remoteLogSegmentId().id();
    }

    private static Set<Uuid> ids(List<RemoteLogSegmentMetadata> segments) {
        Set<Uuid> ids = new HashSet<>();
        segments.forEach(segment -> ids.add(id(segment)));
        return ids;
    }

    private static List<RemoteLogSegmentMetadata> all(Iterator<RemoteLogSegmentMetadata> segments) {
        List<RemoteLogSegmentMetadata> all = new ArrayList<>();
        segments.forEachRemaining(all::add);
        return all;
    }
}
