package dev.shelfmark.tool.migrate.exporting;

import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;

/** Takes events in order, each for its metadata partition. Used by one thread. */
public interface EventSink extends AutoCloseable {

    /** Takes an event; it need not be durable before {@link #flush}. */
    void write(int metadataPartition, RemoteLogMetadata event);

    /** Returns when everything that was written is durable; fails when something is not. */
    void flush();

    @Override
    void close();
}
