package dev.shelfmark.bench;

import java.util.Set;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;

/**
 * What a measurement is made of.
 *
 * @param manager opened a moment ago
 * @param settings of the probe
 * @param openedNanos when it began to be opened, by {@link System#nanoTime()}
 */
record Subject(RemoteLogMetadataManager manager, Settings settings, long openedNanos) {

    Layout layout() {
        return Layout.of(settings);
    }

    /** Makes the broker the leader of a topic's partitions. */
    void lead(Layout layout) {
        manager.onPartitionLeadershipChanges(Set.copyOf(layout.all()), Set.of());
    }

    /** Makes the broker a follower of a topic's partitions. */
    void follow(Layout layout) {
        manager.onPartitionLeadershipChanges(Set.of(), Set.copyOf(layout.all()));
    }

    Answers answers() {
        return new Answers(manager, layout());
    }
}
