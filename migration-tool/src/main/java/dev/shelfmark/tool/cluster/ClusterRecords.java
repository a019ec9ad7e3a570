package dev.shelfmark.tool.cluster;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Writes clusters' records, each at one revision: of two who write the same revision, one does. When the answer to a write is lost, the record
 * is read back, and is this writer's own if it is the very same.
 */
public final class ClusterRecords {

    private static final int ATTEMPTS = 10;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final StoreAdministration administration;
    private final Clock clock;
    private final String user;

    /** Of a store, written now by this user. */
    public ClusterRecords(StoreAdministration administration, Clock clock, String user) {
        this.administration = administration;
        this.clock = clock;
        this.user = user;
    }

    /** The record of a cluster as it is now. */
    public Optional<ClusterRecord> find(String clusterId) {
        return administration.cluster(clusterId);
    }

    /**
     * Registers a cluster, unless the store knows it in whatever state.
     *
     * @return whether it was registered now
     * @throws ToolFailure when somebody else registered it at the same time, or as {@link #put}
     */
    public boolean registerIfUnknown(String clusterId, ClusterState state, String note) {
        if (find(clusterId).isPresent()) {
            return false;
        }
        if (put(clusterId, state, 1, note).isEmpty()) {
            throw ToolFailure.refused("somebody else registered cluster " + clusterId
                    + " meanwhile; look at 'shelfmark state' and run this again");
        }
        return true;
    }

    /**
     * Writes a record, unless somebody else has written this revision.
     *
     * @param revision one more than that of the record that was read, or 1 for a cluster that the store does not know
     * @return the record as it was written; empty when somebody else was faster
     * @throws ToolFailure when the store does not tell, after several attempts, what became of it
     */
    public Optional<ClusterRecord> put(String clusterId, ClusterState state, long revision, String note) {
        // A store keeps no nanoseconds, and what it keeps must be known again as this very record.
        ClusterRecord next = new ClusterRecord(
                clusterId, state, revision, clock.instant().truncatedTo(ChronoUnit.MILLIS), user, note);
        for (int attempt = 1; ; attempt++) {
            try {
                // A no may be the answer to an attempt after the one that was applied, and whose answer was lost.
                boolean written = administration.putCluster(next)
                        || administration
                                .cluster(clusterId)
                                .filter(next::equals)
                                .isPresent();
                return written ? Optional.of(next) : Optional.empty();
            } catch (StoreException.OutcomeUnknown | StoreException.Unavailable e) {
                if (attempt == ATTEMPTS) {
                    throw unknown(next, e);
                }
            }
            pause();
        }
    }

    private static ToolFailure unknown(ClusterRecord next, StoreException failure) {
        return ToolFailure.store(
                "whether cluster " + next.clusterId() + " is " + next.state() + " now is not known: "
                        + failure.getMessage() + "; look at 'shelfmark state'",
                failure);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.refused("interrupted");
        }
    }
}
