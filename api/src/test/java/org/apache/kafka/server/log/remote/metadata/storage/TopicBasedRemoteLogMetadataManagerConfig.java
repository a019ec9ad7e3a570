package org.apache.kafka.server.log.remote.metadata.storage;

import java.util.Map;

/** Stands where Kafka's class of this name stands on a broker's class path. */
public final class TopicBasedRemoteLogMetadataManagerConfig {

    /** Refuses one value, as Kafka's refuses many. */
    public TopicBasedRemoteLogMetadataManagerConfig(Map<String, ?> settings) {
        if ("0".equals(settings.get("remote.log.metadata.topic.num.partitions"))) {
            throw new IllegalArgumentException("0 partitions");
        }
    }
}
