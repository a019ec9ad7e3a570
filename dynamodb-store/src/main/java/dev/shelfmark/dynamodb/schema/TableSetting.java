package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.model.Tag;

/**
 * A setting of an existing table that {@code init} sees to. Each is looked at before it is changed, so that a run that was cut
 * short is finished by the next.
 *
 * @param name for people
 * @param done whether the table has it
 * @param apply gives it to the table
 */
public record TableSetting(String name, BooleanSupplier done, Runnable apply) {

    public static List<TableSetting> all(DynamoDbStoreConfig config, TableAdmin owner) {
        List<Tag> tags = TableLayout.tags(config);
        Map<TableSetting, Boolean> wanted = new java.util.LinkedHashMap<>();
        wanted.put(
                new TableSetting("removal of deleted segments by time to live", owner::expires, owner::letExpire),
                true);
        wanted.put(
                new TableSetting("point-in-time recovery", owner::recoversToPointInTime, owner::recoverToPointInTime),
                config.flag(DynamoDbStoreConfig.POINT_IN_TIME_RECOVERY));
        wanted.put(
                new TableSetting("deletion protection", owner::isProtected, owner::protect),
                config.flag(DynamoDbStoreConfig.DELETION_PROTECTION));
        wanted.put(
                new TableSetting("tags " + config.tags().keySet(), () -> owner.hasTags(tags), () -> owner.tag(tags)),
                !tags.isEmpty());
        return wanted.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }
}
