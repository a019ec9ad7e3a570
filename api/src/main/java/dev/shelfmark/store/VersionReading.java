package dev.shelfmark.store;

import java.util.List;
import java.util.Map;

/** A {@link CatalogueStore} implements this too when it can tell the versions of many partitions for about the price of one. */
public interface VersionReading {

    /** The most partitions that one call may ask for. */
    int MAX_PARTITIONS = 1_000;

    /**
     * The versions of partitions. Strongly consistent and failing as {@link CatalogueStore#read}.
     *
     * @param clusterId the cluster of all of them
     * @param keys the partitions, at most {@link #MAX_PARTITIONS}
     * @return by partition; one of which nothing was ever written is left out
     */
    Map<PartitionKey, Long> versions(String clusterId, List<PartitionKey> keys);
}
