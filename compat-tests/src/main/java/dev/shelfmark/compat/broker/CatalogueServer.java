package dev.shelfmark.compat.broker;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.store.SegmentRecord;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;

/**
 * A server with a catalogue in it, whatever the store: what brokers and operators need to use it, and a look into it from outside.
 * Settings are those of the plugin and of the {@code shelfmark} command, without the prefix that Kafka gives them.
 */
public interface CatalogueServer extends AutoCloseable {

    /** The store's name, such as {@code jdbc}. */
    String store();

    /** Where the catalogue is, for people. */
    String address();

    /** The plugin's settings, with the rights of a broker. */
    Map<String, String> brokerSettings();

    /** The settings with which an operator prepares and changes the catalogue. */
    Map<String, String> ownerSettings();

    /** The settings with which an auditor looks at the catalogue. */
    Map<String, String> auditorSettings();

    /**
     * A second catalogue on the server, empty, without any cluster.
     *
     * @return the plugin's settings for it
     */
    Map<String, String> addEmpty(String name);

    /** Nobody reaches the server any more, and every connection ends; its data stay. */
    void stop();

    /** All is as it was before {@link #stop}. */
    void resume();

    /** The properties of brokers that load the store's plugin and keep their catalogue here. */
    default Map<String, String> brokerProperties() {
        return PluginDirectory.ofStore(store()).brokerProperties(brokerSettings());
    }

    /** Registers a cluster as ready. */
    default void register(String clusterId) {
        CatalogueAccess.with(ownerSettings()).register(clusterId);
    }

    /** Every record of a partition that the catalogue still has, those of deleted segments included. */
    default List<SegmentRecord> records(String clusterId, Uuid topicId, int partition) {
        return CatalogueAccess.with(brokerSettings()).records(clusterId, topicId, partition);
    }

    /** Changes a partition by the catalogue's rules, as a broker does, whatever the cluster's state. */
    default void write(String clusterId, TopicIdPartition partition, List<MetadataEvent> events) {
        CatalogueAccess.with(brokerSettings()).write(clusterId, partition, events);
    }

    /** Ends what was started and removes every trace. */
    @Override
    void close();
}
