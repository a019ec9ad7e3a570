package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What one read gave, as a reader has to take it: of a segment that is handed over more than once the last time counts, and a
 * deleted one takes back what was handed over before.
 *
 * @param head the head
 * @param segments in the order in which they were handed over
 */
record Snapshot(PartitionHead head, List<SegmentRecord> segments) {

    Snapshot {
        segments = List.copyOf(segments);
    }

    static Snapshot read(CatalogueStore store, PartitionKey key, Selection selection) {
        Map<UUID, SegmentRecord> taken = new LinkedHashMap<>();
        PartitionHead head = store.read(key, selection, segment -> {
            taken.remove(segment.segmentId());
            taken.put(segment.segmentId(), segment);
        });
        if (onlyLive(selection)) {
            taken.values().removeIf(segment -> !segment.state().live());
        }
        return new Snapshot(head, List.copyOf(taken.values()));
    }

    private static boolean onlyLive(Selection selection) {
        return !(selection instanceof Selection.ChangedSince) && !(selection instanceof Selection.ById);
    }
}
