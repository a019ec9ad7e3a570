package dev.shelfmark.tool.setup;

import dev.shelfmark.tool.kafka.MetadataTopic;
import java.util.Optional;

/**
 * A cluster that is said to be new, and what speaks against it.
 *
 * @param clusterId its id
 * @param howChecked what was looked at, for the operator and the record
 * @param objection why it is not new; empty when nothing was found
 */
record NewCluster(String clusterId, String howChecked, Optional<String> objection) {

    /** The operator vouches. */
    static NewCluster unchecked(String clusterId) {
        return new NewCluster(
                clusterId,
                "not checked: no broker was asked whether " + MetadataTopic.NAME + " holds records (--no-broker-check)",
                Optional.empty());
    }

    /** The brokers were asked. */
    static NewCluster checked(String clusterId, Optional<MetadataTopic> topic) {
        String howChecked = topic.map(found -> "checked: the topic " + MetadataTopic.NAME + " holds " + found.records()
                        + " records in " + found.partitions().size() + " partitions")
                .orElse("checked: there is no topic " + MetadataTopic.NAME);
        return new NewCluster(clusterId, howChecked, topic.flatMap(NewCluster::objection));
    }

    private static Optional<String> objection(MetadataTopic topic) {
        if (topic.records() > 0) {
            return Optional.of("its topic " + MetadataTopic.NAME + " holds " + topic.records() + " records in "
                    + topic.partitions().size() + " partitions");
        } else if (topic.removed() > 0) {
            return Optional.of("its topic " + MetadataTopic.NAME + " held " + topic.removed()
                    + " records, which retention or somebody has removed");
        }
        return Optional.empty();
    }
}
