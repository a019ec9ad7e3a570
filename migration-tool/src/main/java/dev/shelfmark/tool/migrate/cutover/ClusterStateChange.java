package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Clock;
import java.util.Optional;

/** One cluster's record, moved from a revision that was read and from no other: of two who move it at once, one does. */
public final class ClusterStateChange {

    private final ClusterRecords records;
    private final String clusterId;

    public ClusterStateChange(StoreAdministration administration, String clusterId, Clock clock, String user) {
        this.records = new ClusterRecords(administration, clock, user);
        this.clusterId = clusterId;
    }

    /** The record as it is now. */
    public ClusterRecord current() {
        return records.find(clusterId)
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
        return records.put(clusterId, to, from.revision() + 1, note)
                .orElseThrow(() -> movedMeanwhile(records.find(clusterId)));
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
