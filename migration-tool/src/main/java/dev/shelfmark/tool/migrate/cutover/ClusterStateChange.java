package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.console.ToolFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** One cluster's record, moved from a revision that was read and from no other: of two who move it at once, one does. */
public final class ClusterStateChange {

    private static final int ATTEMPTS = 10;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final StoreAdministration administration;
    private final String clusterId;
    private final Clock clock;
    private final String user;

    public ClusterStateChange(StoreAdministration administration, String clusterId, Clock clock, String user) {
        this.administration = administration;
        this.clusterId = clusterId;
        this.clock = clock;
        this.user = user;
    }

    /** The record as it is now. */
    public ClusterRecord current() {
        return administration
                .cluster(clusterId)
                .orElseThrow(() -> ToolFailure.refused("the store knows no cluster " + clusterId
                        + ": 'shelfmark import' brings in the history of one that has tiered, 'shelfmark init' registers"
                        + " a new one"));
    }

    /**
     * Moves it.
     *
     * @return the record that it has now
     * @throws ToolFailure when somebody else has moved it since it was read
     */
    public ClusterRecord move(ClusterRecord from, ClusterState to, String note) {
        // A store keeps no nanoseconds, and what it keeps must be known again as this very record.
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        ClusterRecord next = new ClusterRecord(clusterId, to, from.revision() + 1, now, user, note);
        for (int attempt = 1; ; attempt++) {
            try {
                if (administration.putCluster(next)) {
                    return next;
                }
                // A lost answer of an attempt before this may have been a yes.
                Optional<ClusterRecord> found = administration.cluster(clusterId);
                if (found.isPresent() && found.get().equals(next)) {
                    return next;
                }
                throw movedMeanwhile(found);
            } catch (StoreException.OutcomeUnknown | StoreException.Unavailable e) {
                if (attempt == ATTEMPTS) {
                    throw ToolFailure.store(
                            "whether cluster " + clusterId + " was moved from " + from.state() + " to " + to
                                    + " is not known: " + e.getMessage() + "; look at 'shelfmark state'",
                            e);
                }
                Pause.of(PAUSE);
            }
        }
    }

    /** Fails when somebody else has moved it since it was read. */
    void ensureStill(ClusterRecord read) {
        ClusterRecord now = current();
        if (now.revision() != read.revision()) {
            throw movedMeanwhile(Optional.of(now));
        }
    }

    private ToolFailure movedMeanwhile(Optional<ClusterRecord> found) {
        return ToolFailure.refused("somebody else moved cluster " + clusterId + " meanwhile"
                + found.map(record -> " (it is " + record.state() + " since " + record.changedAt() + ", by "
                                + record.changedBy() + ")")
                        .orElse("")
                + "; look at 'shelfmark state' and decide again");
    }
}
