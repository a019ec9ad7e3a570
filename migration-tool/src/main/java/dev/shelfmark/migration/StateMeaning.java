package dev.shelfmark.migration;

import dev.shelfmark.store.ClusterState;
import java.util.Locale;
import java.util.Optional;

/** What a cluster's states mean for its brokers, and what a change between them risks. */
final class StateMeaning {

    private StateMeaning() {}

    /** As operators type it. */
    static String name(ClusterState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** What brokers do while it lasts. */
    static String forBrokers(ClusterState state) {
        return switch (state) {
            case IMPORTING ->
                "brokers get no answers (history is being brought in): nothing is copied or deleted, reads of"
                        + " tiered data fail and are retried, local data is served";
            case READY -> "brokers are answered from the catalogue";
            case RESTORING ->
                "brokers get no answers (a backup is being restored): nothing is copied or deleted, reads of"
                        + " tiered data fail and are retried, local data is served";
        };
    }

    /** Why a change needs a second thought; empty when it needs none. */
    static Optional<String> risk(ClusterState from, ClusterState to) {
        if (to == ClusterState.READY) {
            return Optional.of(
                    "brokers will believe the catalogue at once: what it lacks is lost to them, they move log start"
                            + " offsets for good and delete segments. Only do it when "
                            + (from == ClusterState.RESTORING
                                    ? "the restored catalogue was reconciled with the remote storage"
                                    : "'shelfmark verify' found the import complete"));
        } else if (from == ClusterState.READY) {
            return Optional.of(
                    "within moments brokers stop copying and deleting segments, and consumers that read tiered data"
                            + " wait, until the cluster is ready again");
        }
        return Optional.empty();
    }
}
