package dev.shelfmark.store.admin;

import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import java.time.Duration;
import java.util.Map;

/** A {@link StoreAdministration} implements this too when its store can take a cluster's history in bulk. */
public interface BulkLoading {

    /**
     * Claims the right to bring a cluster's history in, for one holder at a time.
     *
     * @param clusterId the cluster; nothing is asked of its state before something is loaded
     * @param during the state in which the loader may change something
     * @param holder who claims it, for people
     * @param term how long the claim lasts without a change or a renewal, by the store's clock
     */
    LoadClaim claimLoad(String clusterId, ClusterState during, String holder, Duration term);

    /** The usual claim: while the cluster is {@link ClusterState#IMPORTING}. */
    default LoadClaim claimLoad(String clusterId, String holder, Duration term) {
        return claimLoad(clusterId, ClusterState.IMPORTING, holder, term);
    }

    /** How far each source was brought in, without a claim: somebody else may be at it. */
    Map<Integer, Checkpoint> checkpoints(String clusterId);
}
