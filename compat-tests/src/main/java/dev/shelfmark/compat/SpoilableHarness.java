package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import java.util.UUID;

/** A harness of a back end that has a schema, rights, and a way to put into it what no build of ours would. */
public interface SpoilableHarness extends StoreHarness {

    /** A store, with a broker's rights, on a place of the same server where nothing was ever migrated. The test closes it. */
    CatalogueStore openWithoutSchema();

    /**
     * A store on this database whose credentials are wrong or have no rights. The test closes it.
     *
     * @param secret what its settings hold as a password or key
     */
    CatalogueStore openWithoutRights(String secret);

    /** Gives a cluster's record a state that no build knows. */
    void spoilClusterState(String clusterId);

    /** Gives a segment's record a state that no build knows. */
    void spoilSegmentState(PartitionKey key, UUID segmentId);
}
