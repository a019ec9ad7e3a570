package dev.shelfmark.tool.migrate.exporting;

import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataWriter;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;

/** Writes to the metadata topic, with Kafka's own serde. */
public final class TopicSink implements EventSink {

    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
    private final MetadataWriter writer;

    public TopicSink(MetadataWriter writer) {
        this.writer = writer;
    }

    /**
     * The same topic, if this can write to it.
     *
     * @throws ToolFailure if the topic takes only records with keys, as the format of KIP-1266 does
     */
    public static MetadataTopic writable(MetadataTopic topic) {
        if (topic.compacted()) {
            throw ToolFailure.refused("the topic " + MetadataTopic.NAME + " is compacted (cleanup.policy="
                    + topic.cleanupPolicy() + "): it takes only records with keys, which this version does not write."
                    + " If somebody set the policy by hand, set it to delete; if this Kafka did, the topic has a format"
                    + " (remote.log.metadata.version 1 or 2) that needs a newer Shelfmark");
        }
        return topic;
    }

    @Override
    public void write(int metadataPartition, RemoteLogMetadata event) {
        writer.send(metadataPartition, serde.serialize(event));
    }

    @Override
    public void flush() {
        writer.flush();
    }

    @Override
    public void close() {
        writer.close();
    }
}
