package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Whether the remote storage and the catalogue agree: no object that the catalogue does not know, no readable segment without its object. */
final class Agreement {

    private final SoakBed bed;

    Agreement(SoakBed bed) {
        this.bed = bed;
    }

    /** What does not agree of these topics; empty when all does. */
    List<String> differences(List<TieredTopic> topics, int partitions) {
        List<String> wrong = new ArrayList<>();
        for (TieredTopic topic : topics) {
            for (int partition = 0; partition < partitions; partition++) {
                Set<String> objects = topic.remoteSegments(partition);
                List<SegmentRecord> rows = bed.catalogue().records(bed.cluster().clusterId(), topic.id(), partition);
                Set<String> forgotten = new HashSet<>(objects);
                forgotten.removeAll(ids(rows, record -> record.state().live()));
                Set<String> lost = ids(rows, record -> record.state() == SegmentState.COPY_SEGMENT_FINISHED);
                lost.removeAll(objects);
                if (!forgotten.isEmpty() || !lost.isEmpty()) {
                    wrong.add(topic.partition(partition) + ": " + forgotten.size()
                            + " objects that the catalogue does not know, " + lost.size()
                            + " readable segments without an object");
                }
            }
        }
        return wrong;
    }

    /** How many segments of deleted topics are still there. */
    long leftOver(List<TieredTopic> deleted) {
        return deleted.stream()
                .mapToLong(topic -> topic.remoteSegments(0).size())
                .sum();
    }

    private static Set<String> ids(List<SegmentRecord> rows, Predicate<SegmentRecord> which) {
        return rows.stream()
                .filter(which)
                .map(record -> TextualId.of(record.segmentId()))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
