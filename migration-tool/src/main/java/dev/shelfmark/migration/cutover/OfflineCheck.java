package dev.shelfmark.migration.cutover;

import dev.shelfmark.migration.brokers.Brokers;
import dev.shelfmark.migration.brokers.TopicInfo;
import java.util.List;

/** Whether nothing is copied while nobody watches the brokers: for a switch without the bridge. */
public final class OfflineCheck {

    private OfflineCheck() {}

    /** The tiered topics whose segments are still copied, by name. */
    public static List<String> copying(Brokers cluster) {
        return cluster.topics().values().stream()
                .filter(topic -> topic.tiered() && !topic.copyDisabled())
                .map(TopicInfo::name)
                .sorted()
                .toList();
    }
}
