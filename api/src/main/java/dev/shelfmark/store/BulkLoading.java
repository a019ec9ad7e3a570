package dev.shelfmark.store;

import java.time.Duration;

/** A {@link StoreAdministration} implements this too when its store can take a cluster's history in bulk. */
public interface BulkLoading {

    /**
     * Claims the right to bring a cluster's history in, for one holder at a time.
     *
     * @param clusterId the cluster; nothing is asked of its state before something is loaded
     * @param holder who claims it, for people
     * @param term how long the claim lasts without a change or a renewal, by the store's clock
     */
    LoadClaim claimLoad(String clusterId, String holder, Duration term);
}
