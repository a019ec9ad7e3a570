package dev.shelfmark.catalogue.rules;

import static dev.shelfmark.catalogue.Segments.TOPIC;
import static dev.shelfmark.catalogue.Segments.add;
import static dev.shelfmark.catalogue.Segments.finish;
import static dev.shelfmark.catalogue.Segments.id;
import static dev.shelfmark.catalogue.Segments.segment;
import static dev.shelfmark.catalogue.Segments.to;
import static dev.shelfmark.store.PartitionDeletion.DELETE_PARTITION_FINISHED;
import static dev.shelfmark.store.PartitionDeletion.DELETE_PARTITION_MARKED;
import static dev.shelfmark.store.PartitionDeletion.NONE;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StateChange;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The steps that a commit carries for the history. */
final class PartitionUpdateTest {

    private final Map<UUID, SegmentRecord> stored = new HashMap<>();
    private final PartitionUpdate update =
            new PartitionUpdate(new PartitionHead(40, TOPIC, 1, 9, NONE, new TreeMap<>()), stored::get);

    private PartitionCommit commitOf(MetadataEvent... events) {
        for (MetadataEvent event : events) {
            update.apply(TOPIC, event);
        }
        return update.commit().orElseThrow();
    }

    @Test
    void everyVersionThatIsRaisedHasItsStepAlsoTwoOfOneSegment() {
        PartitionCommit commit = commitOf(add(1, 0, 9), add(2, 10, 19), finish(1));
        assertThat(commit.segments()).hasSize(2);
        assertThat(commit.head().version()).isEqualTo(43);
        assertThat(commit.changes())
                .containsExactly(
                        new StateChange.OfSegment(41, id(1), null, COPY_SEGMENT_STARTED, 1, 5_001),
                        new StateChange.OfSegment(42, id(2), null, COPY_SEGMENT_STARTED, 1, 5_002),
                        new StateChange.OfSegment(43, id(1), COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED, 1, 6_001));
    }

    @Test
    void aStepBeginsAtWhatIsStored() {
        stored.put(id(1), segment(1, 0, 9, Map.of(0, 0L)));
        PartitionCommit commit = commitOf(new MetadataEvent.UpdateSegment(id(1), DELETE_SEGMENT_STARTED, null, 7, 123));
        assertThat(commit.changes())
                .containsExactly(
                        new StateChange.OfSegment(41, id(1), COPY_SEGMENT_STARTED, DELETE_SEGMENT_STARTED, 7, 123));
    }

    @Test
    void whatIsRefusedIgnoredOrAlreadySoIsNoStep() {
        PartitionCommit commit = commitOf(
                add(1, 0, 9), // one step
                add(1, 0, 9), // already so
                to(1, DELETE_SEGMENT_FINISHED), // refused
                to(2, DELETE_SEGMENT_STARTED), // ignored
                finish(3), // refused
                new MetadataEvent.DeletePartition(DELETE_PARTITION_FINISHED, 7, 123)); // refused
        assertThat(commit.changes())
                .containsExactly(new StateChange.OfSegment(41, id(1), null, COPY_SEGMENT_STARTED, 1, 5_001));
    }

    @Test
    void theDeletionOfThePartitionIsAStepOfItsOwn() {
        PartitionCommit commit = commitOf(
                new MetadataEvent.DeletePartition(DELETE_PARTITION_MARKED, 7, 123),
                new MetadataEvent.DeletePartition(DELETE_PARTITION_MARKED, 8, 124));
        assertThat(commit.changes())
                .containsExactly(new StateChange.OfPartition(41, NONE, DELETE_PARTITION_MARKED, 7, 123));
    }
}
