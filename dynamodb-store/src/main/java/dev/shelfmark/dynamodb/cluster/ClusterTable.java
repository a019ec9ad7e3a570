package dev.shelfmark.dynamodb.cluster;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Requests.Answer;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.ClusterItem;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.ClusterRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** The clusters' records. */
public final class ClusterTable {

    private final Table table;

    public ClusterTable(Table table) {
        this.table = table;
    }

    public Optional<ClusterRecord> get(String clusterId, Deadline deadline) {
        return table.get(
                        Call.reading("cluster", "record of cluster " + clusterId, deadline),
                        ItemKeys.CLUSTERS,
                        ItemKeys.cluster(clusterId))
                .map(ClusterItem::parse);
    }

    public List<ClusterRecord> list(Deadline deadline) {
        List<ClusterRecord> clusters = new ArrayList<>();
        table.query(
                Call.reading("clusters", "list of clusters", deadline),
                request -> request.keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(ItemKeys.CLUSTERS))),
                item -> clusters.add(ClusterItem.parse(item)));
        return clusters;
    }

    /** Whether it was put; a failed condition after a lost answer may be our own doing, which the item that is there shows. */
    public boolean put(ClusterRecord next, Deadline deadline) {
        Map<String, AttributeValue> item = ClusterItem.of(next);
        PutItemRequest.Builder request = PutItemRequest.builder()
                .tableName(table.name())
                .item(item)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
        if (next.revision() == 1) {
            request.conditionExpression("attribute_not_exists(" + ItemKeys.PK + ")");
        } else {
            request.conditionExpression(ClusterItem.REVISION + " = :expected")
                    .expressionAttributeValues(
                            Map.of(":expected", AttributeValue.fromN(Long.toString(next.revision() - 1))));
        }
        Call call = Call.changing("cluster.put", "record of cluster " + next.clusterId(), deadline);
        return table.requests().send(call, (client, limits, mayBeApplied) -> {
            try {
                PutItemResponse response =
                        client.putItem(request.overrideConfiguration(limits).build());
                Double units = response.consumedCapacity() == null
                        ? null
                        : response.consumedCapacity().capacityUnits();
                return new Answer<>(true, 1, 0, units == null ? 0 : units);
            } catch (ConditionalCheckFailedException e) {
                return new Answer<>(mayBeApplied && e.hasItem() && e.item().equals(item));
            }
        });
    }
}
