package dev.shelfmark.dynamodb.cluster;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.client.Transactions;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The catalogues' ids and the brokers' progress.
 *
 * <pre>
 * pk           "progress#lkc-1"                                      the same
 * sk           "CATALOGUE"                                           "0000000003", the broker's id
 * id           "xtzWWN4bTjitpL3kfd9s5g"          counter             500
 * replaces     "", ids with spaces between       regressedId         "", or the id of the catalogue that went back
 *                                                seenIds             "", ids with spaces between
 *                                                reason              ""
 * </pre>
 */
public final class ProgressTable {

    private static final String CATALOGUE = "CATALOGUE";
    private static final String ID = "id";
    private static final String REPLACES = "replaces";
    private static final String COUNTER = "counter";
    private static final String REGRESSED_ID = "regressedId";
    private static final String SEEN_IDS = "seenIds";
    private static final String REASON = "reason";

    private final Table table;

    public ProgressTable(Table table) {
        this.table = table;
    }

    /** One query, which is one consistent read. */
    public Optional<CatalogueProgress> find(String clusterId, Deadline deadline) {
        List<Item> items = new ArrayList<>();
        table.query(
                Call.reading("progress", "progress of cluster " + clusterId, deadline),
                request -> request.keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(ItemKeys.progress(clusterId)))),
                items::add);
        Item catalogue = null;
        List<BrokerProgress> brokers = new ArrayList<>();
        for (Item item : items) {
            if (item.sortKey().equals(CATALOGUE)) {
                catalogue = item;
            } else {
                brokers.add(broker(item));
            }
        }
        return catalogue == null
                ? Optional.empty()
                : Optional.of(new CatalogueProgress(catalogue.text(ID), ids(catalogue.text(REPLACES)), brokers));
    }

    private static BrokerProgress broker(Item item) {
        try {
            return new BrokerProgress(
                    Integer.parseInt(item.sortKey()),
                    item.number(COUNTER),
                    new BrokerProgress.Regression(
                            item.text(REGRESSED_ID), ids(item.text(SEEN_IDS)), item.text(REASON)));
        } catch (IllegalArgumentException e) {
            throw item.corrupt(e);
        }
    }

    /**
     * Gives a catalogue its id.
     *
     * @param current the id that it must have; null for none
     * @return false when it has another
     */
    public boolean putId(
            String clusterId, @Nullable String current, String id, Set<String> replaces, Deadline deadline) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(ItemKeys.progress(clusterId), CATALOGUE));
        item.put(ID, AttributeValue.fromS(id));
        item.put(REPLACES, AttributeValue.fromS(text(replaces)));
        Put.Builder put = Put.builder().tableName(table.name()).item(item);
        if (current == null) {
            put.conditionExpression("attribute_not_exists(" + ItemKeys.PK + ")");
        } else {
            put.conditionExpression("#id = :current")
                    .expressionAttributeNames(Map.of("#id", ID))
                    .expressionAttributeValues(Map.of(":current", AttributeValue.fromS(current)));
        }
        return send(Call.changing("progress.id", "id of the catalogue of cluster " + clusterId, deadline), put.build());
    }

    public void put(String clusterId, BrokerProgress progress, Deadline deadline) {
        Map<String, AttributeValue> item =
                new HashMap<>(ItemKeys.of(ItemKeys.progress(clusterId), ItemKeys.broker(progress.brokerId())));
        item.put(COUNTER, AttributeValue.fromN(Long.toString(progress.counter())));
        item.put(REGRESSED_ID, AttributeValue.fromS(progress.regression().catalogueId()));
        item.put(SEEN_IDS, AttributeValue.fromS(text(progress.regression().seenIds())));
        item.put(REASON, AttributeValue.fromS(progress.regression().reason()));
        boolean unused = send(
                Call.changing(
                        "progress.put",
                        "progress of broker " + progress.brokerId() + " of cluster " + clusterId,
                        deadline),
                Put.builder().tableName(table.name()).item(item).build());
    }

    /** As a transaction of one action: brokers have the right to put items only in transactions. Whether its condition held. */
    private boolean send(Call call, Put put) {
        return new Transactions(table.requests())
                .send(
                        call,
                        UUID.randomUUID().toString(),
                        List.of(TransactWriteItem.builder().put(put).build()),
                        true,
                        (reasons, cancelled, mayBeApplied) -> {
                            if (reasons.stream().anyMatch(ProgressTable::conditionFailed)) {
                                return false;
                            }
                            throw cancelled;
                        });
    }

    private static boolean conditionFailed(CancellationReason reason) {
        return "ConditionalCheckFailed".equals(reason.code());
    }

    private static String text(Set<String> ids) {
        return String.join(" ", new TreeSet<>(ids));
    }

    private static Set<String> ids(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }
}
