package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A partition as one caller of one store sees it. Writes as the catalogue does: reads, decides, commits what it read as the expected
 * version, and keeps the head true.
 *
 * @param store the store
 * @param key the partition
 */
record TestPartition(CatalogueStore store, PartitionKey key) {

    static final String TOPIC = "orders";

    /** A new partition. */
    static TestPartition of(CatalogueStore store, String clusterId) {
        return new TestPartition(store, new PartitionKey(clusterId, UUID.randomUUID(), 0));
    }

    /** The same partition as seen through another store. */
    TestPartition through(CatalogueStore other) {
        return new TestPartition(other, key);
    }

    Snapshot read(Selection selection) {
        return Snapshot.read(store, key, selection);
    }

    PartitionHead head() {
        return read(new Selection.HeadOnly()).head();
    }

    List<SegmentRecord> all() {
        return read(new Selection.All()).segments();
    }

    /** Commits these records on what is there now, and expects no conflict. As many commits as it takes. */
    List<SegmentRecord> put(SegmentRecord... changes) {
        List<SegmentRecord> written = new ArrayList<>();
        int most = store.maxSegmentsPerCommit();
        for (int from = 0; from < changes.length; from += most) {
            PartitionCommit next = next(Arrays.copyOfRange(changes, from, Math.min(from + most, changes.length)));
            assertThat(commit(next)).isEqualTo(new CommitResult.Committed());
            written.addAll(next.segments());
        }
        return written;
    }

    /** Commits one record, and expects no conflict. */
    SegmentRecord putOne(SegmentRecord change) {
        return put(change).get(0);
    }

    CommitResult commit(PartitionCommit commit) {
        return store.commit(key, commit);
    }

    /** The commit that would bring these changes to what is there now; each has its own version. */
    PartitionCommit next(SegmentRecord... changes) {
        return next(Map.of(), changes);
    }

    PartitionCommit next(Map<Integer, Long> highestOffsets, SegmentRecord... changes) {
        Set<UUID> ids = Arrays.stream(changes).map(SegmentRecord::segmentId).collect(Collectors.toSet());
        Snapshot now = read(ids.isEmpty() ? new Selection.HeadOnly() : new Selection.ById(ids));
        Map<UUID, SegmentRecord> before =
                now.segments().stream().collect(Collectors.toMap(SegmentRecord::segmentId, Function.identity()));
        PartitionHead head = now.head();
        long version = head.version();
        long live = head.liveSegments();
        long span = head.maxOffsetSpan();
        List<SegmentRecord> stamped = new ArrayList<>();
        List<StateChange> steps = new ArrayList<>();
        for (SegmentRecord change : changes) {
            SegmentRecord next = Segments.at(++version, change);
            stamped.add(next);
            SegmentRecord old = before.get(change.segmentId());
            steps.add(new StateChange.OfSegment(
                    version,
                    next.segmentId(),
                    old == null ? null : old.state(),
                    next.state(),
                    next.brokerId(),
                    next.eventTimestampMs()));
            live += (change.state().live() ? 1 : 0)
                    - (old != null && old.state().live() ? 1 : 0);
            span = Math.max(span, change.endOffset() - change.startOffset());
        }
        NavigableMap<Integer, Long> raised = new TreeMap<>(highestOffsets);
        long after = Math.max(version, head.version() + 1);
        return new PartitionCommit(
                head.version(),
                new PartitionHead(after, TOPIC, live, span, PartitionDeletion.NONE, raised),
                stamped,
                steps);
    }
}
