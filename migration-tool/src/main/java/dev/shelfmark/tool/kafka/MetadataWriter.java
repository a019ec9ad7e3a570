package dev.shelfmark.tool.kafka;

/** Writes to the metadata topic, each partition in the order of the calls. Used by one thread. */
public interface MetadataWriter extends AutoCloseable {

    /** Sends a record without a key, as Kafka's own manager does; it need not be there before {@link #flush}. */
    void send(int partition, byte[] value);

    /** Returns when every record that was sent is acknowledged by all replicas in sync; fails when one is not. */
    void flush();

    @Override
    void close();
}
