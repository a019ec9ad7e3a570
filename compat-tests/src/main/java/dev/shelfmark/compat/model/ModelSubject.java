package dev.shelfmark.compat.model;

import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;

/** What is checked: two brokers' managers on one catalogue. */
public interface ModelSubject {

    /**
     * The manager of a broker, ready.
     *
     * @param number 0 or 1
     */
    RemoteLogMetadataManager broker(int number);

    /**
     * Shuts a broker's manager down and starts another in its place, ready.
     *
     * @param number 0 or 1
     */
    void restart(int number);
}
