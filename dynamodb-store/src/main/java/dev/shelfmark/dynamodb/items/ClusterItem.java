package dev.shelfmark.dynamodb.items;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A cluster's item.
 *
 * <pre>
 * pk         "clusters"
 * sk         "lkc-1", the cluster's id
 * state      "READY"
 * revision   3
 * changedAt  "2026-01-01T00:00:00Z"
 * changedBy  "anna@example.org"
 * note       ""
 * </pre>
 */
public final class ClusterItem {

    public static final String REVISION = "revision";
    public static final String STATE = "state";
    private static final String CHANGED_AT = "changedAt";
    private static final String CHANGED_BY = "changedBy";
    private static final String NOTE = "note";

    private ClusterItem() {}

    public static Map<String, AttributeValue> of(ClusterRecord cluster) {
        Map<String, AttributeValue> item =
                new HashMap<>(ItemKeys.of(ItemKeys.CLUSTERS, ItemKeys.cluster(cluster.clusterId())));
        item.put(STATE, AttributeValue.fromS(cluster.state().name()));
        item.put(REVISION, AttributeValue.fromN(Long.toString(cluster.revision())));
        item.put(CHANGED_AT, AttributeValue.fromS(cluster.changedAt().toString()));
        item.put(CHANGED_BY, AttributeValue.fromS(cluster.changedBy()));
        item.put(NOTE, AttributeValue.fromS(cluster.note()));
        return item;
    }

    public static ClusterRecord parse(Item item) {
        try {
            return new ClusterRecord(
                    item.sortKey(),
                    item.constant(STATE, ClusterState.class),
                    item.number(REVISION),
                    Instant.parse(item.text(CHANGED_AT)),
                    item.text(CHANGED_BY),
                    item.text(NOTE));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw item.corrupt(e);
        }
    }
}
