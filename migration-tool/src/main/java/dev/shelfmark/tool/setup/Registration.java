package dev.shelfmark.tool.setup;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.cluster.StateMeaning;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.List;
import java.util.Optional;

/** Declares new clusters ready, and none that has a past. */
final class Registration {

    private final ClusterRecords records;

    Registration(ClusterRecords records) {
        this.records = records;
    }

    /** What became of it, a line each. A cluster that is ready already stays as it is. */
    List<String> register(NewCluster cluster, boolean although) {
        String id = cluster.clusterId();
        Optional<ClusterRecord> known = records.find(id);
        if (known.isPresent()) {
            return List.of(already(known.get()));
        }
        if (cluster.objection().isPresent() && !although) {
            throw ToolFailure.refused(
                    "cluster " + id + " is not new: " + cluster.objection().get()
                            + ". Declared new, brokers would lose what is tiered. Bring it in with 'shelfmark import'"
                            + " (--new-although-metadata-exists gives it up). The schema is prepared, nothing was registered");
        }
        String note = "registered as new; " + cluster.howChecked()
                + cluster.objection()
                        .map(objection -> "; given up: " + objection)
                        .orElse("");
        if (records.put(id, ClusterState.READY, 1, note).isPresent()) {
            return List.of(cluster.howChecked(), "cluster " + id + " is registered as ready");
        }
        // Somebody else was faster; what they wrote decides.
        return List.of(records.find(id)
                .map(Registration::already)
                .orElseThrow(() -> ToolFailure.refused(
                        "cluster " + id + " was registered and removed by somebody else meanwhile; look at"
                                + " 'shelfmark state' and run this again")));
    }

    private static String already(ClusterRecord record) {
        if (record.state() != ClusterState.READY) {
            throw ToolFailure.refused("cluster " + record.clusterId() + " is registered as "
                    + StateMeaning.name(record.state()) + " (" + record.changedAt() + " by " + record.changedBy()
                    + "), so it is not new; 'shelfmark state --help' tells how to go on");
        }
        return "cluster " + record.clusterId() + " is already registered as ready (" + record.changedAt() + " by "
                + record.changedBy() + "); nothing was changed";
    }
}
