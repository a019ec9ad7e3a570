package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A partition's head and the extent of the commit that wrote it. The extent lets a reader who sees this head find out whether it
 * also sees everything else of that commit: DynamoDB shows the items of a transaction one by one while it is being applied.
 *
 * <pre>
 * pk                 "partition#lkc-1/AAAAAAAAAAAAAAAAAAAAAQ-7"
 * sk                 "HEAD"
 * currentVersion     12       not "version": the head is in no index, so that a commit need not move it there
 * topicName          "orders"
 * liveSegments       9
 * maxOffsetSpan      999
 * deletion           "NONE"
 * lastCommit         "1b4e28ba-2fa1-11d2-883f-0016d3cca427", the commit's own id
 * lastCommitFrom     11       the version it was decided on
 * lastCommitLive     1        how many live segments it wrote
 * lastCommitHighest  1        how many items of highest offsets it wrote, the mark of removed records counted
 * lastCommitDeleted  the ids of the deleted segments it wrote, 16 bytes each; absent when there are none
 * </pre>
 *
 * @param version the partition's version
 * @param lastCommit the id of the commit that wrote this head
 * @param from the version that commit was decided on
 * @param live how many live segments it wrote
 * @param highest how many items of highest offsets it wrote
 * @param deleted which deleted segments it wrote
 */
public record HeadItem(
        long version,
        String topicName,
        long liveSegments,
        long maxOffsetSpan,
        PartitionDeletion deletion,
        String lastCommit,
        long from,
        int live,
        int highest,
        Set<UUID> deleted) {

    public static final String CURRENT_VERSION = "currentVersion";

    /** Of a partition of which nothing was ever written. */
    public static final HeadItem NEW = new HeadItem(0, "", 0, 0, PartitionDeletion.NONE, "", 0, 0, 0, Set.of());

    private static final String TOPIC_NAME = "topicName";
    private static final String LIVE_SEGMENTS = "liveSegments";
    private static final String MAX_OFFSET_SPAN = "maxOffsetSpan";
    private static final String DELETION = "deletion";
    private static final String LAST_COMMIT = "lastCommit";
    private static final String FROM = "lastCommitFrom";
    private static final String LIVE = "lastCommitLive";
    private static final String HIGHEST = "lastCommitHighest";
    private static final String DELETED = "lastCommitDeleted";

    public static HeadItem after(PartitionChange change, String commitId, int highestItems) {
        PartitionHead head = change.head();
        return new HeadItem(
                head.version(),
                head.topicName(),
                head.liveSegments(),
                head.maxOffsetSpan(),
                head.deletion(),
                commitId,
                change.expectedVersion(),
                change.visibleLive(),
                highestItems,
                change.gone());
    }

    public Map<String, AttributeValue> toItem(String partition) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(partition, ItemKeys.HEAD));
        item.put(CURRENT_VERSION, number(version));
        item.put(TOPIC_NAME, AttributeValue.fromS(topicName));
        item.put(LIVE_SEGMENTS, number(liveSegments));
        item.put(MAX_OFFSET_SPAN, number(maxOffsetSpan));
        item.put(DELETION, AttributeValue.fromS(deletion.name()));
        item.put(LAST_COMMIT, AttributeValue.fromS(lastCommit));
        item.put(FROM, number(from));
        item.put(LIVE, number(live));
        item.put(HIGHEST, number(highest));
        if (!deleted.isEmpty()) {
            item.put(DELETED, AttributeValue.fromB(SdkBytes.fromByteArray(concatenated(deleted))));
        }
        return item;
    }

    public static HeadItem parse(Item item) {
        return new HeadItem(
                item.number(CURRENT_VERSION),
                item.text(TOPIC_NAME),
                item.number(LIVE_SEGMENTS),
                item.number(MAX_OFFSET_SPAN),
                item.constant(DELETION, PartitionDeletion.class),
                item.text(LAST_COMMIT),
                item.number(FROM),
                item.integer(LIVE),
                item.integer(HIGHEST),
                item.bytes(DELETED).map(bytes -> split(item, bytes)).orElse(Set.of()));
    }

    /** As if the commit that wrote it had written nothing else. */
    public HeadItem withoutExtent() {
        return new HeadItem(
                version, topicName, liveSegments, maxOffsetSpan, deletion, lastCommit, version, 0, 0, Set.of());
    }

    public PartitionHead toHead(NavigableMap<Integer, Long> highestOffsets) {
        return new PartitionHead(version, topicName, liveSegments, maxOffsetSpan, deletion, highestOffsets);
    }

    public PartitionHead toHead() {
        return toHead(Collections.emptyNavigableMap());
    }

    private static byte[] concatenated(Set<UUID> ids) {
        ByteBuffer bytes = ByteBuffer.allocate(ids.size() * 2 * Long.BYTES);
        ids.forEach(id -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
        return bytes.array();
    }

    private static Set<UUID> split(Item item, byte[] bytes) {
        if (bytes.length % (2 * Long.BYTES) != 0) {
            throw item.corrupt(DELETED, "does not hold ids of 16 bytes", null);
        }
        Set<UUID> ids = new HashSet<>();
        for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
            ids.add(new UUID(rest.getLong(), rest.getLong()));
        }
        return ids;
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
