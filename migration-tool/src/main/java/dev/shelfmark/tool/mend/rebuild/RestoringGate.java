package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Lets one rebuild at a time into a catalogue, and only while the cluster is restoring. Used by one thread. */
final class RestoringGate implements AutoCloseable {

    private static final Duration TERM = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final BulkLoader claim;
    private final String clusterId;
    private long checkedAt;

    private RestoringGate(BulkLoader claim, String clusterId) {
        this.claim = claim;
        this.clusterId = clusterId;
        requireRestoring();
    }

    /** Refuses a cluster that is not restoring; one that is not registered is none of those. */
    static void require(StoreAdministration administration, String clusterId) {
        Optional<ClusterRecord> cluster = administration.cluster(clusterId);
        if (cluster.isPresent() && cluster.get().state() != ClusterState.RESTORING) {
            throw ToolFailure.refused("cluster " + clusterId + " is "
                    + cluster.get().state().name().toLowerCase(Locale.ROOT)
                    + ": a rebuild changes a catalogue only while no broker is answered from it. Run 'shelfmark state set "
                    + clusterId + " restoring --note ... --yes' first");
        }
    }

    /**
     * Claims the right to change the catalogue. A cluster that the store does not know is registered as restoring.
     *
     * @param user who does it
     * @param notices takes lines for people
     */
    static RestoringGate open(
            StoreAdministration administration, String clusterId, Clock clock, String user, Consumer<String> notices) {
        require(administration, clusterId);
        if (!(administration instanceof BulkLoading loading)) {
            throw ToolFailure.refused("this store takes no rebuild: nothing was changed");
        }
        if (new ClusterRecords(administration, clock, user)
                .registerIfUnknown(clusterId, ClusterState.RESTORING, "rebuild from the remote storage")) {
            notices.accept("cluster " + clusterId + " was not known, and is registered as restoring");
        }
        LoadClaim claim = loading.claimLoad(clusterId, ClusterState.RESTORING, user, TERM);
        if (claim instanceof LoadClaim.Held held) {
            throw ToolFailure.refused("somebody else, " + held.holder() + ", is bringing segments of cluster "
                    + clusterId + " in, or was killed less than " + TERM.toSeconds() + " s ago: run this again after "
                    + held.until());
        }
        return new RestoringGate(((LoadClaim.Granted) claim).loader(), clusterId);
    }

    /** Ends the rebuild when the cluster is no longer restoring; asks the store once a second at most. */
    void check() {
        if (System.nanoTime() - checkedAt >= LOOK_AGAIN_NANOS) {
            requireRestoring();
        }
    }

    private void requireRestoring() {
        LoadResult result = claim.renew();
        checkedAt = System.nanoTime();
        if (result == LoadResult.NOT_IMPORTING) {
            throw ToolFailure.refused("cluster " + clusterId
                    + " is no longer restoring: the rebuild ended in the middle; look at 'shelfmark state'");
        } else if (result != LoadResult.LOADED) {
            throw ToolFailure.refused("somebody else took over bringing segments of cluster " + clusterId
                    + " in: the rebuild ended in the middle");
        }
    }

    @Override
    public void close() {
        claim.close();
    }
}
