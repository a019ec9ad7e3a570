package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.catalogue.rules.PartitionUpdate;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.tool.kafka.TopicEvent;
import dev.shelfmark.tool.migrate.importing.ImportCounters.TopicTally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A partition while events are folded into it. A segment whose deletion is over is forgotten at once, as Kafka's cache does: history is not
 * kept, the highest offsets are. That makes the outcome independent of where one load ends and the next begins.
 */
final class ReplayState {

    private final PartitionHead base;
    private final Map<UUID, SegmentRecord> stored;
    private final Map<UUID, SegmentRecord> current;
    private final TopicTally counts;
    /** In the order of the events, which is nearly that of offsets and versions: indexes are then filled at their right ends. */
    private final Set<UUID> touched = new LinkedHashSet<>();

    private PartitionHead head;
    private PartitionUpdate update;

    /**
     * Begins with what the store holds.
     *
     * @param stored the segments that the events name, as far as they are there
     * @param counts of segments by state
     */
    ReplayState(PartitionHead base, Map<UUID, SegmentRecord> stored, TopicTally counts) {
        this.base = base;
        this.stored = stored;
        this.current = new HashMap<>(stored);
        this.counts = counts;
        this.head = base;
        this.update = new PartitionUpdate(head, current::get);
    }

    WriteOutcome apply(TopicEvent.Change change) {
        WriteOutcome outcome = update.apply(change.partition().topic(), change.event());
        boolean forgets = change.event() instanceof UpdateSegment event
                && event.state() == SegmentState.DELETE_SEGMENT_FINISHED
                && outcome instanceof WriteOutcome.Done;
        if (forgets) {
            settle();
        }
        return outcome;
    }

    /** Takes over what the rules decided so far, and lets them go on from there. */
    private void settle() {
        update.commit().ifPresent(commit -> commit.segments().forEach(this::settle));
        head = update.head();
        update = new PartitionUpdate(head, current::get);
    }

    private void settle(SegmentRecord segment) {
        UUID id = segment.segmentId();
        SegmentRecord before = segment.state().live() ? current.put(id, segment) : current.remove(id);
        touched.add(id);
        counts.segments(segment.state(), 1);
        if (before != null) {
            counts.segments(before.state(), -1);
        }
    }

    boolean changed() {
        settle();
        return head.version() > base.version();
    }

    PartitionLoad load(PartitionKey key, int source, Progress progress) {
        List<SegmentRecord> added = new ArrayList<>();
        List<SegmentRecord> replaced = new ArrayList<>();
        Set<UUID> removed = new HashSet<>();
        for (UUID id : touched) {
            SegmentRecord now = current.get(id);
            if (now == null && stored.containsKey(id)) {
                removed.add(id);
            } else if (now != null) {
                (stored.containsKey(id) ? replaced : added).add(now);
            }
        }
        return new PartitionLoad(key, base.version(), raised(), added, replaced, removed, source, progress);
    }

    private PartitionHead raised() {
        NavigableMap<Integer, Long> raised = new TreeMap<>(head.highestOffsets());
        raised.entrySet().removeAll(base.highestOffsets().entrySet());
        return new PartitionHead(
                head.version(), head.topicName(), head.liveSegments(), head.maxOffsetSpan(), head.deletion(), raised);
    }
}
