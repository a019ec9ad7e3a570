package dev.shelfmark.dynamodb.cluster;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.client.Transactions;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The brokers' heartbeats.
 *
 * <pre>
 * pk                    "brokers#lkc-1"
 * sk                    "0000000003", the broker's id
 * incarnation           "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
 * beats                 17
 * mode                  "BRIDGE"
 * pluginVersion         "1.0.0"
 * acknowledged          "IMPORTING", missing before the first
 * acknowledgedRevision  4
 * leaseMs               15000
 * at                    "2026-01-01T00:00:00Z"
 * waitingFor            ""
 * </pre>
 */
public final class HeartbeatTable {

    private static final String INCARNATION = "incarnation";
    private static final String BEATS = "beats";
    private static final String MODE = "mode";
    // "version" is the sort key of a local index, in which heartbeats have no business.
    private static final String PLUGIN_VERSION = "pluginVersion";
    private static final String ACKNOWLEDGED = "acknowledged";
    private static final String ACKNOWLEDGED_REVISION = "acknowledgedRevision";
    private static final String LEASE = "leaseMs";
    private static final String AT = "at";
    private static final String WAITING_FOR = "waitingFor";

    private final Table table;

    public HeartbeatTable(Table table) {
        this.table = table;
    }

    /** As a transaction of one action: brokers have the right to put items only in transactions, and need no more for this. */
    public void put(BrokerHeartbeat beat, Deadline deadline) {
        TransactWriteItem put = TransactWriteItem.builder()
                .put(Put.builder().tableName(table.name()).item(item(beat)).build())
                .build();
        Call call = Call.changing(
                "heartbeat", "heartbeat of broker " + beat.brokerId() + " of cluster " + beat.clusterId(), deadline);
        boolean unused = new Transactions(table.requests())
                .send(call, UUID.randomUUID().toString(), List.of(put), true, (reasons, cancelled, mayBeApplied) -> {
                    throw cancelled;
                });
    }

    public List<BrokerHeartbeat> list(String clusterId, Deadline deadline) {
        List<BrokerHeartbeat> beats = new ArrayList<>();
        table.query(
                Call.reading("heartbeats", "heartbeats of cluster " + clusterId, deadline),
                request -> request.keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(ItemKeys.brokers(clusterId)))),
                item -> beats.add(parse(clusterId, item)));
        return beats;
    }

    private static Map<String, AttributeValue> item(BrokerHeartbeat beat) {
        Map<String, AttributeValue> item =
                new HashMap<>(ItemKeys.of(ItemKeys.brokers(beat.clusterId()), ItemKeys.broker(beat.brokerId())));
        item.put(INCARNATION, AttributeValue.fromS(beat.incarnation()));
        item.put(BEATS, number(beat.beats()));
        item.put(MODE, AttributeValue.fromS(beat.mode().name()));
        item.put(PLUGIN_VERSION, AttributeValue.fromS(beat.version()));
        ClusterState acknowledged = beat.acknowledged();
        if (acknowledged != null) {
            item.put(ACKNOWLEDGED, AttributeValue.fromS(acknowledged.name()));
        }
        item.put(ACKNOWLEDGED_REVISION, number(beat.acknowledgedRevision()));
        item.put(LEASE, number(beat.lease().toMillis()));
        item.put(AT, AttributeValue.fromS(beat.at().toString()));
        item.put(WAITING_FOR, AttributeValue.fromS(beat.waitingFor()));
        return item;
    }

    private static BrokerHeartbeat parse(String clusterId, Item item) {
        try {
            return new BrokerHeartbeat(
                    clusterId,
                    Integer.parseInt(item.sortKey()),
                    item.text(INCARNATION),
                    item.number(BEATS),
                    item.constant(MODE, BrokerHeartbeat.Mode.class),
                    item.text(PLUGIN_VERSION),
                    item.has(ACKNOWLEDGED) ? item.constant(ACKNOWLEDGED, ClusterState.class) : null,
                    item.number(ACKNOWLEDGED_REVISION),
                    Duration.ofMillis(item.number(LEASE)),
                    Instant.parse(item.text(AT)),
                    item.text(WAITING_FOR));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw item.corrupt(e);
        }
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
