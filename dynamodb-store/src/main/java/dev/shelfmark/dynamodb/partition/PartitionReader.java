package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.SegmentItem;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads a partition as it was at one version, from items that are read one after another.
 *
 * <p>DynamoDB shows a transaction's items one by one while it is applied: a reader may see the new head and an old segment, or the
 * other way round. So nothing that was read is taken for the state at the head's version before {@link CommitVisibility} has shown that
 * all of the last commit is visible and nothing of a later one. Earlier commits are whole: a commit is decided on a read that was
 * shown to be whole, or on the answer to the commit before it, so that only the last one can still be on its way.
 *
 * <ul>
 *   <li>A read of everything, or of the changes since a version, hands over what it finds and then follows the changes until they
 *       show a whole version. Segments only move up in the order of changes, which a query reads upwards, so none is missed. A record
 *       that was handed over and is gone since can't be taken back, so then there is no answer.
 *   <li>A small selection is read again when anything changed meanwhile.
 * </ul>
 */
public final class PartitionReader {

    /** A transaction is applied within milliseconds; one that is not after so many looks is stuck, or its items were restored apart. */
    private static final int MAX_LOOKS = 12;

    private final Table table;
    private final PartitionKey key;
    private final String partition;
    private final FullyVisibleVersions known;
    private final Deadline deadline;

    public PartitionReader(Table table, FullyVisibleVersions known, PartitionKey key, Deadline deadline) {
        this.table = table;
        this.known = known;
        this.key = key;
        this.partition = ItemKeys.partition(key);
        this.deadline = deadline;
    }

    public PartitionHead read(Selection selection, Consumer<SegmentRecord> segments) {
        if (selection instanceof Selection.ChangedSince changed) {
            return changedSince(changed.version(), segments);
        } else if (selection instanceof Selection.All) {
            return all(segments);
        } else if (selection instanceof Selection.HeadOnly) {
            return headOnly();
        } else if (selection instanceof Selection.ById byId) {
            return together(unused -> byId(byId.segmentIds()), segments);
        } else if (selection instanceof Selection.Holding holding) {
            return together(head -> holding(head, holding.offset()), segments);
        } else if (selection instanceof Selection.WithTxnIndex page) {
            return together(head -> withTxnIndex(head, page), segments);
        }
        throw new IllegalArgumentException("unknown selection " + selection);
    }

    private PartitionHead changedSince(long version, Consumer<SegmentRecord> segments) {
        HeadItem head = head();
        if (head.version() <= version) {
            return head.toHead();
        }
        long since = Math.min(version, head.from());
        Set<UUID> out = new HashSet<>();
        Consumer<SegmentRecord> noted = noting(head.deleted(), out, segments);
        return follow(
                head,
                since,
                new TreeMap<>(),
                segment -> {
                    if (segment.version() > version) {
                        noted.accept(segment);
                    }
                },
                out);
    }

    private PartitionHead all(Consumer<SegmentRecord> segments) {
        HeadAndHighest start = headAndHighest();
        if (start.head().version() == 0) {
            return PartitionHead.NEW;
        }
        Set<UUID> out = new HashSet<>();
        Consumer<SegmentRecord> noted = noting(start.head().deleted(), out, segments);
        table.query(
                call("read.all"),
                request -> request.indexName(ItemKeys.LIVE_INDEX)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", text(partition))),
                item -> noted.accept(SegmentItem.parse(item)));
        return follow(start.head(), start.head().from(), start.highest(), noted, out);
    }

    private PartitionHead headOnly() {
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            pauseBeforeNext(looks);
            HeadAndHighest seen = headAndHighest();
            if (seen.whole()) {
                return seen.head().toHead(seen.highest());
            }
        }
        throw stillBeingApplied();
    }

    /** Hands segments over, and notes which of the deleted ones were among them all the same: their deletion was not visible yet. */
    private static Consumer<SegmentRecord> noting(Set<UUID> deleted, Set<UUID> out, Consumer<SegmentRecord> segments) {
        return segment -> {
            if (deleted.contains(segment.segmentId())) {
                out.add(segment.segmentId());
            }
            segments.accept(segment);
        };
    }

    /**
     * Hands over changes until they show the partition at one version.
     *
     * @param out the segments handed over that the commit of the head has deleted
     */
    private PartitionHead follow(
            HeadItem start,
            long since,
            NavigableMap<Integer, Long> highest,
            Consumer<SegmentRecord> segments,
            Set<UUID> out) {
        HeadItem head = start;
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            if (looks > 0) {
                pauseBeforeNext(looks);
                head = head();
            }
            CommitVisibility changes = changes(head, since, segments);
            changes.raised().forEach((epoch, offset) -> highest.merge(epoch, offset, Math::max));
            if (whole(changes)) {
                Set<UUID> gone = changes.unseenDeletions();
                boolean ofStart = changes.version() == start.version();
                if (changes.removedAt() > start.version()
                        || (ofStart ? gone.stream().anyMatch(out::contains) : !gone.isEmpty())) {
                    throw removedMeanwhile();
                }
                return head.toHead(highest);
            }
        }
        throw stillBeingApplied();
    }

    /** Reads head and selection again until nothing changed meanwhile; the selections are small. */
    private PartitionHead together(Function<HeadItem, List<Item>> select, Consumer<SegmentRecord> segments) {
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            pauseBeforeNext(looks);
            HeadAndHighest start = headAndHighest();
            if (start.head().version() == 0) {
                return PartitionHead.NEW;
            }
            List<Item> selected = select.apply(start.head());
            CommitVisibility changes = changes(start.head(), start.head().from(), unused -> {});
            if (whole(changes)) {
                changes.raised().forEach((epoch, offset) -> start.highest().merge(epoch, offset, Math::max));
                selected.forEach(item -> segments.accept(SegmentItem.parse(item)));
                return start.head().toHead(start.highest());
            }
        }
        throw stillBeingApplied();
    }

    private List<Item> byId(Set<UUID> ids) {
        return table.batch(
                call("read.ids"), partition, ids.stream().map(ItemKeys::segment).toList());
    }

    private List<Item> holding(HeadItem head, long offset) {
        List<Item> found = new ArrayList<>();
        if (offset >= 0) {
            table.query(
                    call("read.holding"),
                    request -> request.indexName(ItemKeys.LIVE_INDEX)
                            .keyConditionExpression("pk = :pk AND #position BETWEEN :first AND :last")
                            .filterExpression("endOffset >= :offset")
                            .expressionAttributeNames(Map.of("#position", ItemKeys.POSITION))
                            .expressionAttributeValues(Map.of(
                                    ":pk", text(partition),
                                    ":first", text(ItemKeys.before(offset - head.maxOffsetSpan())),
                                    ":last", text(ItemKeys.after(offset)),
                                    ":offset", number(offset))),
                    found::add);
        }
        return found;
    }

    private List<Item> withTxnIndex(HeadItem head, Selection.WithTxnIndex page) {
        String first = ItemKeys.before(page.offset() - head.maxOffsetSpan());
        String after = page.after() == null
                ? first
                : ItemKeys.position(page.after().startOffset(), page.after().segmentId());
        return table.first(
                call("read.txn-index"),
                page.limit(),
                request -> request.indexName(ItemKeys.TXN_INDEX)
                        .keyConditionExpression("pk = :pk AND txnPosition > :after")
                        .filterExpression("endOffset >= :offset")
                        .expressionAttributeValues(Map.of(
                                ":pk", text(partition),
                                ":after", text(first.compareTo(after) > 0 ? first : after),
                                ":offset", number(page.offset()))));
    }

    private HeadItem head() {
        return table.get(call("read.head"), partition, ItemKeys.HEAD)
                .map(item -> known.known(key, HeadItem.parse(item)))
                .orElse(HeadItem.NEW);
    }

    private HeadAndHighest headAndHighest() {
        HeadAndHighest.Builder seen = new HeadAndHighest.Builder(head -> known.known(key, head));
        table.query(
                call("read.head"),
                request -> request.keyConditionExpression("pk = :pk AND sk < :segments")
                        .expressionAttributeValues(
                                Map.of(":pk", text(partition), ":segments", text(ItemKeys.SEGMENT_PREFIX))),
                seen::add);
        return seen.build();
    }

    private CommitVisibility changes(HeadItem head, long since, Consumer<SegmentRecord> segments) {
        CommitVisibility changes = new CommitVisibility(head, segments);
        table.query(
                call("read.changes"),
                request -> request.indexName(ItemKeys.CHANGES_INDEX)
                        .keyConditionExpression("pk = :pk AND #version > :since")
                        .expressionAttributeNames(Map.of("#version", ItemKeys.VERSION))
                        .expressionAttributeValues(Map.of(":pk", text(partition), ":since", number(since))),
                changes::add);
        return changes;
    }

    /** A deleted segment that is not among the changes is either purged, and gone, or not yet deleted, and there. */
    private boolean whole(CommitVisibility changes) {
        Set<UUID> unseen = changes.unseenDeletions();
        boolean whole =
                changes.countsAgree() && (unseen.isEmpty() || byId(unseen).isEmpty());
        if (whole) {
            known.add(key, changes.version());
        }
        return whole;
    }

    private void pauseBeforeNext(int looks) {
        if (looks > 0 && !table.requests().pause(deadline, looks)) {
            throw stillBeingApplied();
        }
    }

    private StoreException.Unavailable stillBeingApplied() {
        return new StoreException.Unavailable(
                "read of " + key + " in DynamoDB table " + table.name()
                        + ": the last commit is visible in part only. It is"
                        + " still being applied, or the table was restored to a moment in its middle; if it lasts, see"
                        + " \"Restoring\" in docs/dynamodb.md",
                null);
    }

    private StoreException.Unavailable removedMeanwhile() {
        return new StoreException.Unavailable(
                "read of " + key + " in DynamoDB table " + table.name()
                        + ": records were removed while it was read; read it again",
                null);
    }

    private Call call(String operation) {
        return Call.reading(operation, "read of " + key, deadline);
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }
}
