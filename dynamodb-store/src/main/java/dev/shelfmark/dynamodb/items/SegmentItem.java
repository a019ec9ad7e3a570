package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A segment's item, an attribute for each field of its record.
 *
 * <pre>
 * pk               "partition#lkc-1/AAAAAAAAAAAAAAAAAAAAAQ-7"
 * sk               "SEGMENT#AAAAAAAAAAAAAAAAAAAAKg"
 * startOffset      1000
 * endOffset        1999
 * leaderEpochs     {"3": 1000, "4": 1500}
 * state            "COPY_SEGMENT_FINISHED"
 * maxTimestampMs   1767225600000
 * sizeInBytes      1073741824
 * txnIndexEmpty    false
 * customMetadata   binary, absent when there is none
 * brokerId         2
 * eventTimestampMs 1767225601000
 * version          12      the key of the index "changes"
 * finishedVersion  12
 * position         "0000000000000001000#0000000000000000000000000000002a"   live only
 * txnPosition      the same                                                 live with a transaction index only
 * expiresAt        1767830400                                               deleted only
 * </pre>
 */
public final class SegmentItem {

    private static final String START_OFFSET = "startOffset";
    private static final String END_OFFSET = "endOffset";
    private static final String LEADER_EPOCHS = "leaderEpochs";
    private static final String STATE = "state";
    private static final String MAX_TIMESTAMP = "maxTimestampMs";
    private static final String SIZE = "sizeInBytes";
    private static final String TXN_INDEX_EMPTY = "txnIndexEmpty";
    private static final String CUSTOM_METADATA = "customMetadata";
    private static final String BROKER = "brokerId";
    private static final String EVENT_TIMESTAMP = "eventTimestampMs";
    private static final String FINISHED_VERSION = "finishedVersion";

    private SegmentItem() {}

    public static boolean is(Item item) {
        return item.sortKey().startsWith(ItemKeys.SEGMENT_PREFIX);
    }

    /**
     * The item of a segment.
     *
     * @param expiresAt when a deleted segment's item may go, in seconds since 1970
     */
    public static Map<String, AttributeValue> of(String partition, SegmentRecord segment, long expiresAt) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(partition, ItemKeys.segment(segment.segmentId())));
        item.put(START_OFFSET, number(segment.startOffset()));
        item.put(END_OFFSET, number(segment.endOffset()));
        item.put(LEADER_EPOCHS, AttributeValue.fromM(epochs(segment.leaderEpochs())));
        item.put(STATE, AttributeValue.fromS(segment.state().name()));
        item.put(MAX_TIMESTAMP, number(segment.maxTimestampMs()));
        item.put(SIZE, number(segment.sizeInBytes()));
        item.put(TXN_INDEX_EMPTY, AttributeValue.fromBool(segment.txnIndexEmpty()));
        if (segment.customMetadata() != null) {
            item.put(
                    CUSTOM_METADATA,
                    AttributeValue.fromB(
                            SdkBytes.fromByteArray(segment.customMetadata().bytes())));
        }
        item.put(BROKER, number(segment.brokerId()));
        item.put(EVENT_TIMESTAMP, number(segment.eventTimestampMs()));
        item.put(ItemKeys.VERSION, number(segment.version()));
        item.put(FINISHED_VERSION, number(segment.finishedVersion()));
        if (!segment.state().live()) {
            item.put(ItemKeys.EXPIRES_AT, number(expiresAt));
            return item;
        }
        AttributeValue position = AttributeValue.fromS(ItemKeys.position(segment));
        item.put(ItemKeys.POSITION, position);
        if (!segment.txnIndexEmpty()) {
            item.put(ItemKeys.TXN_POSITION, position);
        }
        return item;
    }

    public static SegmentRecord parse(Item item) {
        try {
            return SegmentRecord.builder(id(item), item.number(START_OFFSET), item.number(END_OFFSET), epochs(item))
                    .state(item.constant(STATE, SegmentState.class))
                    .maxTimestampMs(item.number(MAX_TIMESTAMP))
                    .sizeInBytes(item.integer(SIZE))
                    .txnIndexEmpty(item.flag(TXN_INDEX_EMPTY))
                    .customMetadata(
                            item.bytes(CUSTOM_METADATA).map(CustomMetadata::of).orElse(null))
                    .brokerId(item.integer(BROKER))
                    .eventTimestampMs(item.number(EVENT_TIMESTAMP))
                    .version(item.number(ItemKeys.VERSION))
                    .finishedVersion(item.number(FINISHED_VERSION))
                    .build();
        } catch (IllegalArgumentException e) {
            throw item.corrupt(e);
        }
    }

    private static UUID id(Item item) {
        return TextualId.parse(item.sortKey().substring(ItemKeys.SEGMENT_PREFIX.length()));
    }

    private static Map<String, AttributeValue> epochs(LeaderEpochs epochs) {
        Map<String, AttributeValue> map = new HashMap<>();
        for (int i = 0; i < epochs.size(); i++) {
            map.put(Integer.toString(epochs.epoch(i)), number(epochs.startOffset(i)));
        }
        return map;
    }

    private static LeaderEpochs epochs(Item item) {
        TreeMap<Integer, Long> epochs = new TreeMap<>();
        item.map(LEADER_EPOCHS)
                .forEach((epoch, start) -> epochs.put(Integer.parseInt(epoch), item.number(LEADER_EPOCHS, start.n())));
        return LeaderEpochs.of(epochs);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
