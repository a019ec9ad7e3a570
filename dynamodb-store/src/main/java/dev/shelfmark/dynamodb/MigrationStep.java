package dev.shelfmark.dynamodb;

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
record MigrationStep(String name, BooleanSupplier done, Runnable apply) {

    static List<MigrationStep> all(DynamoDbStoreConfig config, TableOwner owner) {
        List<Tag> tags = TableLayout.tags(config);
        Map<MigrationStep, Boolean> wanted = new java.util.LinkedHashMap<>();
        wanted.put(
                new MigrationStep("removal of deleted segments by time to live", owner::expires, owner::letExpire),
                true);
        wanted.put(
                new MigrationStep("point-in-time recovery", owner::recoversToPointInTime, owner::recoverToPointInTime),
                config.flag(DynamoDbStoreConfig.POINT_IN_TIME_RECOVERY));
        wanted.put(
                new MigrationStep("deletion protection", owner::isProtected, owner::protect),
                config.flag(DynamoDbStoreConfig.DELETION_PROTECTION));
        wanted.put(
                new MigrationStep("tags " + config.tags().keySet(), () -> owner.hasTags(tags), () -> owner.tag(tags)),
                !tags.isEmpty());
        return wanted.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }
}
