package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.RecordedChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The changes of one commit, in one item: DynamoDB bills by the KB, which holds some six of them. It is kept apart from the partition's
 * other items, so that it takes nothing of their 10 GB and of their throughput, and is in no index.
 *
 * <pre>
 * pk            "history#lkc-1/AAAAAAAAAAAAAAAAAAAAAQ-7"
 * sk            "0000000000000000012"   the version that the commit made
 * recordedAtMs  1767225601500           by the clock of who committed
 * expiresAt     1767830401
 * changes       [{"version": 12, "segment": "AAAAAAAAAAAAAAAAAAAAKg", "from": "COPY_SEGMENT_STARTED",
 *                 "to": "COPY_SEGMENT_FINISHED", "broker": 2, "atMs": 1767225601000}]
 * </pre>
 *
 * <p>A change of the partition's own deletion has no {@code segment}; one of a new segment has no {@code from}.
 */
public final class HistoryItem {

    private static final String RECORDED_AT = "recordedAtMs";
    private static final String CHANGES = "changes";
    private static final String CHANGE_VERSION = "version";
    private static final String SEGMENT = "segment";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String BROKER = "broker";
    private static final String AT = "atMs";

    private HistoryItem() {}

    /**
     * The item of a commit.
     *
     * @param version that it made
     * @param changes at least one
     * @param expiresAt when it may go, in seconds since 1970
     */
    public static Map<String, AttributeValue> of(
            String history, long version, List<StateChange> changes, Instant recordedAt, long expiresAt) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(history, ItemKeys.changed(version)));
        item.put(RECORDED_AT, number(recordedAt.toEpochMilli()));
        item.put(ItemKeys.EXPIRES_AT, number(expiresAt));
        item.put(
                CHANGES,
                AttributeValue.fromL(changes.stream()
                        .map(change -> AttributeValue.fromM(attributes(change)))
                        .toList()));
        return item;
    }

    private static Map<String, AttributeValue> attributes(StateChange change) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        attributes.put(CHANGE_VERSION, number(change.version()));
        attributes.put(BROKER, number(change.brokerId()));
        attributes.put(AT, number(change.eventTimestampMs()));
        if (change instanceof StateChange.OfSegment ofSegment) {
            attributes.put(SEGMENT, AttributeValue.fromS(TextualId.of(ofSegment.segmentId())));
            if (ofSegment.from() != null) {
                attributes.put(FROM, AttributeValue.fromS(ofSegment.from().name()));
            }
            attributes.put(TO, AttributeValue.fromS(ofSegment.to().name()));
        } else if (change instanceof StateChange.OfPartition ofPartition) {
            attributes.put(FROM, AttributeValue.fromS(ofPartition.from().name()));
            attributes.put(TO, AttributeValue.fromS(ofPartition.to().name()));
        }
        return attributes;
    }

    /** Whether the item's time is over; DynamoDB may take days to remove it. */
    public static boolean expired(Item item, Instant now) {
        return item.number(ItemKeys.EXPIRES_AT) <= now.getEpochSecond();
    }

    /** The changes of an item, by version. */
    public static List<RecordedChange> parse(Item item) {
        Instant recordedAt = Instant.ofEpochMilli(item.number(RECORDED_AT));
        List<RecordedChange> changes = new ArrayList<>();
        for (AttributeValue value : item.list(CHANGES)) {
            changes.add(new RecordedChange(change(item, value), recordedAt));
        }
        return changes;
    }

    private static StateChange change(Item item, AttributeValue value) {
        if (!value.hasM()) {
            throw item.corrupt(CHANGES, "holds something that is no change", null);
        }
        Item change = item.within(value.m());
        try {
            return change.has(SEGMENT)
                    ? new StateChange.OfSegment(
                            change.number(CHANGE_VERSION),
                            TextualId.parse(change.text(SEGMENT)),
                            change.has(FROM) ? change.constant(FROM, SegmentState.class) : null,
                            change.constant(TO, SegmentState.class),
                            change.integer(BROKER),
                            change.number(AT))
                    : new StateChange.OfPartition(
                            change.number(CHANGE_VERSION),
                            change.constant(FROM, PartitionDeletion.class),
                            change.constant(TO, PartitionDeletion.class),
                            change.integer(BROKER),
                            change.number(AT));
        } catch (IllegalArgumentException e) {
            throw item.corrupt(e);
        }
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
