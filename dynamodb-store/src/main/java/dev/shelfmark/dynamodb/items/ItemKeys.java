package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The keys of every item, and what the table looks like. Ids are in Kafka's textual form, so that an operator finds a segment by
 * what Kafka's tools print.
 *
 * <pre>
 * pk                                     sk                            what
 * shelfmark                              schema                        the version of this layout
 * clusters                               &lt;cluster id&gt;                  ClusterRecord
 * brokers#&lt;cluster id&gt;                   &lt;broker id&gt;, ten digits          BrokerHeartbeat
 * progress#&lt;cluster id&gt;                  CATALOGUE                     CatalogueProgress: the catalogue's id
 * progress#&lt;cluster id&gt;                  &lt;broker id&gt;, ten digits          BrokerProgress
 * registry#&lt;cluster id&gt;                  &lt;topic id&gt;-0000000007         a partition is known: listings need no scan
 * import#&lt;cluster id&gt;                    CLAIM                         who brings history in, until when
 * import#&lt;cluster id&gt;                    CHECKPOINT#&lt;source&gt;           how far a source was brought in
 * import#&lt;cluster id&gt;                    PROGRESS#&lt;source&gt;#...          how far a partition was, since the checkpoint
 * partition#&lt;cluster id&gt;/&lt;topic id&gt;-7    HEAD                          PartitionHead and the last commit's extent
 * partition#&lt;cluster id&gt;/&lt;topic id&gt;-7    HIGHEST#&lt;epoch / 64&gt;          highest offsets of 64 epochs, an attribute each
 * partition#&lt;cluster id&gt;/&lt;topic id&gt;-7    HIGHEST#at-&lt;version&gt;          the same, of a commit that raised very many epochs
 * partition#&lt;cluster id&gt;/&lt;topic id&gt;-7    HIGHEST#removed               which version last took records away without a trace
 * partition#&lt;cluster id&gt;/&lt;topic id&gt;-7    SEGMENT#&lt;segment id&gt;          SegmentRecord
 * history#&lt;cluster id&gt;/&lt;topic id&gt;-7      &lt;version, 19 digits&gt;          the changes of the commit that made the version
 *
 * local index   sort key                            holds
 * changes       version                             segments and highest offsets, by the version of their last change
 * live          position: start offset and id       segments that are not DELETE_SEGMENT_FINISHED
 * txn-index     txnPosition: start offset and id    of those, the ones that may hold a transaction index
 * </pre>
 *
 * <p>Everything of a partition has one partition key, since only local indexes can be read consistently; such a collection may
 * hold 10 GB. {@code HEAD} and {@code HIGHEST#} sort before {@code SEGMENT#}, so one short query reads both. A kind and
 * {@code #} begin each partition key, and topic id and partition have fixed places at its end, so that no cluster id, whatever
 * its characters, reaches another's items.
 */
public final class ItemKeys {

    public static final String PK = "pk";
    public static final String SK = "sk";
    public static final String VERSION = "version";
    public static final String POSITION = "position";
    public static final String TXN_POSITION = "txnPosition";
    /** Seconds since 1970, DynamoDB's time to live. */
    public static final String EXPIRES_AT = "expiresAt";

    public static final String CHANGES_INDEX = "changes";
    public static final String LIVE_INDEX = "live";
    public static final String TXN_INDEX = "txn-index";

    public static final String SHELFMARK = "shelfmark";
    public static final String SCHEMA = "schema";
    public static final String CLUSTERS = "clusters";
    static final String BROKERS_PREFIX = "brokers#";
    static final String PROGRESS_PREFIX = "progress#";
    static final String REGISTRY_PREFIX = "registry#";
    static final String IMPORT_PREFIX = "import#";
    static final String PARTITION_PREFIX = "partition#";
    static final String HISTORY_PREFIX = "history#";
    public static final String CLAIM = "CLAIM";
    public static final String CHECKPOINT_PREFIX = "CHECKPOINT#";
    public static final String HEAD = "HEAD";
    static final String HIGHEST_PREFIX = "HIGHEST#";
    /** Among the highest offsets, so that whoever reads those or the changes finds it; it holds no epoch. */
    public static final String REMOVED = HIGHEST_PREFIX + "removed";

    public static final String SEGMENT_PREFIX = "SEGMENT#";

    /** After every position of this start offset: '~' sorts after the hexadecimal digits. */
    private static final char AFTER_IDS = '~';

    /** DynamoDB's limit on a sort key, which a cluster id is. */
    private static final int LONGEST_CLUSTER_ID = 1024;

    private static final int PARTITION_DIGITS = 10;

    private ItemKeys() {}

    public static String cluster(String clusterId) {
        int bytes = clusterId.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_CLUSTER_ID) {
            throw new StoreException.Unsupported(
                    "a cluster id of " + bytes + " bytes; DynamoDB takes at most " + LONGEST_CLUSTER_ID, null);
        }
        return clusterId;
    }

    public static String partition(PartitionKey key) {
        cluster(key.clusterId());
        return PARTITION_PREFIX + key;
    }

    public static String history(PartitionKey key) {
        cluster(key.clusterId());
        return HISTORY_PREFIX + key;
    }

    /** A version as a sort key: text that sorts alike. */
    public static String changed(long version) {
        return "%019d".formatted(version);
    }

    public static String brokers(String clusterId) {
        return BROKERS_PREFIX + cluster(clusterId);
    }

    public static String broker(int brokerId) {
        return "%010d".formatted(brokerId);
    }

    public static String progress(String clusterId) {
        return PROGRESS_PREFIX + cluster(clusterId);
    }

    public static String registry(String clusterId) {
        return REGISTRY_PREFIX + clusterId;
    }

    public static String registered(PartitionKey key) {
        return "%s-%010d".formatted(TextualId.of(key.topicId()), key.partition());
    }

    /**
     * The partition that {@link #registered} names.
     *
     * @throws IllegalArgumentException when it names none
     */
    public static PartitionKey registered(String clusterId, String registered) {
        int dash = registered.length() - PARTITION_DIGITS - 1;
        if (dash < 0 || registered.charAt(dash) != '-') {
            throw new IllegalArgumentException("'" + registered + "' names no partition");
        }
        return new PartitionKey(
                clusterId,
                TextualId.parse(registered.substring(0, dash)),
                Integer.parseInt(registered.substring(dash + 1)));
    }

    public static String imports(String clusterId) {
        return IMPORT_PREFIX + cluster(clusterId);
    }

    public static String checkpoint(int source) {
        return CHECKPOINT_PREFIX + source;
    }

    /** Before every progress of a source since the checkpoint of this generation. */
    public static String progress(int source, long generation) {
        return "PROGRESS#" + source + "#" + generation + "#";
    }

    public static String segment(UUID segmentId) {
        return SEGMENT_PREFIX + TextualId.of(segmentId);
    }

    public static String highest(int bucket) {
        return HIGHEST_PREFIX + bucket;
    }

    public static String highestAt(long version) {
        return HIGHEST_PREFIX + "at-" + version;
    }

    /** A segment's place in the order of {@link Selection.WithTxnIndex}, as text that sorts alike. */
    public static String position(SegmentRecord segment) {
        return position(segment.startOffset(), segment.segmentId());
    }

    public static String position(long startOffset, UUID segmentId) {
        return "%s#%016x%016x"
                .formatted(
                        offset(startOffset), segmentId.getMostSignificantBits(), segmentId.getLeastSignificantBits());
    }

    /** Before every position that starts at this offset or later. */
    public static String before(long startOffset) {
        return offset(Math.max(startOffset, 0));
    }

    /** After every position that starts at this offset or earlier. */
    public static String after(long startOffset) {
        return offset(startOffset) + AFTER_IDS;
    }

    private static String offset(long offset) {
        return "%019d".formatted(offset);
    }

    public static Map<String, AttributeValue> of(String pk, String sk) {
        return Map.of(PK, AttributeValue.fromS(pk), SK, AttributeValue.fromS(sk));
    }
}
