package dev.shelfmark.migration.cutover;

import dev.shelfmark.migration.brokers.Brokers;
import dev.shelfmark.store.CatalogueStore;

/** Brings Kafka's metadata topic up to date with the catalogue. The way back calls it here and nowhere else. */
@FunctionalInterface
public interface TopicExport {

    /**
     * Writes what the topic lacks, and returns when every record of it is acknowledged by all replicas in sync. Safe to repeat, whatever became of an
     * earlier run.
     *
     * @return how many records were written
     */
    long bringUpToDate(String clusterId, CatalogueStore store, Brokers cluster);
}
