package dev.shelfmark.tool.migrate.exporting;

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
