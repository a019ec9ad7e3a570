package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.HighestItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.SegmentItem;
import dev.shelfmark.store.SegmentRecord;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What the index of changes shows after a version at or before the last commit's, weighed against a head that was read before.
 * They agree when everything the head's commit wrote is there and nothing that a later commit wrote.
 */
final class CommitVisibility {

    private final HeadItem head;
    private final Consumer<SegmentRecord> segments;
    private final NavigableMap<Integer, Long> raised = new TreeMap<>();
    private final Set<UUID> deleted = new HashSet<>();
    /** By id: an item that moves up while the query is on its way may come twice. */
    private final Set<UUID> live = new HashSet<>();

    private final Set<String> highest = new HashSet<>();
    private boolean later;
    private long removedAt;

    /** @param segments takes each segment as it comes */
    CommitVisibility(HeadItem head, Consumer<SegmentRecord> segments) {
        this.head = head;
        this.segments = segments;
    }

    void add(Item item) {
        long version = item.number(ItemKeys.VERSION);
        later |= version > head.version();
        boolean ofLastCommit = version > head.from();
        if (SegmentItem.is(item)) {
            SegmentRecord segment = SegmentItem.parse(item);
            if (ofLastCommit) {
                (segment.state().live() ? live : deleted).add(segment.segmentId());
            }
            segments.accept(segment);
        } else {
            HighestItem.mergeInto(raised, item);
            if (item.sortKey().equals(ItemKeys.REMOVED)) {
                removedAt = version;
            }
            if (ofLastCommit) {
                highest.add(item.sortKey());
            }
        }
    }

    /** Of the head. */
    long version() {
        return head.version();
    }

    NavigableMap<Integer, Long> raised() {
        return raised;
    }

    /** Which of the changes was the last that took records away without a trace; 0 when none did. */
    long removedAt() {
        return removedAt;
    }

    boolean countsAgree() {
        return !later && live.size() == head.live() && highest.size() == head.highest();
    }

    /** The deleted segments of the last commit that were not among the changes. */
    Set<UUID> unseenDeletions() {
        Set<UUID> unseen = new HashSet<>(head.deleted());
        unseen.removeAll(deleted);
        return unseen;
    }
}
