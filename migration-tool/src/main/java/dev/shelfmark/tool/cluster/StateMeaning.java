package dev.shelfmark.tool.cluster;

import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.ClusterState.Truth;
import java.util.Locale;
import java.util.Optional;

/** What a cluster's states mean for its brokers, and what a change between them risks. */
public final class StateMeaning {

    private StateMeaning() {}

    /** As operators type it. */
    public static String name(ClusterState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** What brokers do while it lasts. */
    public static String forBrokers(ClusterState state) {
        return switch (state) {
            case IMPORTING ->
                "brokers in bridge mode use Kafka's topic; others get no answers (history is being brought in): nothing is copied or"
                        + " deleted, reads of tiered data fail and are retried, local data is served";
            case DRAINING_TO_READY ->
                "brokers in bridge mode read Kafka's topic, and their writes wait for the catalogue; others get no answers";
            case READY -> "brokers are answered from the catalogue";
            case DRAINING_TO_BRIDGED ->
                "brokers in bridge mode read the catalogue, and their writes wait for Kafka's topic; others get no answers";
            case BRIDGED -> "brokers in bridge mode use Kafka's topic; others get no answers";
            case RESTORING ->
                "brokers get no answers (a backup is being restored): nothing is copied or deleted, reads of"
                        + " tiered data fail and are retried, local data is served";
        };
    }

    /** How an operator goes on from here; empty when there is nothing to go on with. */
    public static Optional<String> nextStep(ClusterState state, String clusterId) {
        return switch (state) {
            case IMPORTING -> Optional.of("'shelfmark import', 'verify', then 'cutover'");
            case DRAINING_TO_READY ->
                Optional.of(
                        "writes wait until 'shelfmark cutover' is done; if it runs nowhere, run it again, or go back with"
                                + " 'shelfmark state set " + clusterId + " importing --note ...'");
            case DRAINING_TO_BRIDGED ->
                Optional.of(
                        "writes wait until 'shelfmark rollback' is done; if it runs nowhere, run it again, or go back"
                                + " with 'shelfmark state set " + clusterId + " ready --note ...'");
            case BRIDGED ->
                Optional.of("give brokers Kafka's own manager one by one; to move again, 'shelfmark state set "
                        + clusterId + " importing --note ...'");
            case READY, RESTORING -> Optional.empty();
        };
    }

    /** Why a change needs a second thought; empty when it needs none. */
    public static Optional<String> risk(ClusterState from, ClusterState to) {
        boolean givesUpTheWayThere = from == ClusterState.DRAINING_TO_READY && to == ClusterState.IMPORTING;
        givesUpTheWayThere |= from == ClusterState.DRAINING_TO_BRIDGED && to == ClusterState.READY;
        if (givesUpTheWayThere) {
            return Optional.empty();
        } else if (to.truth() == Truth.CATALOGUE && from.truth() != Truth.CATALOGUE) {
            return Optional.of(
                    "brokers will believe the catalogue at once: what it lacks is lost to them, they move log start"
                            + " offsets for good and delete segments. Only do it when "
                            + (from == ClusterState.RESTORING
                                    ? "the restored catalogue was reconciled with the remote storage"
                                    : "'shelfmark verify' found the import complete; 'shelfmark cutover' checks that, and"
                                            + " switches without losing what brokers write meanwhile"));
        } else if (to.truth() == Truth.TOPIC && from.truth() != Truth.TOPIC) {
            return Optional.of(
                    "brokers in bridge mode go back to Kafka's topic as it is, which lacks what was written since they were ready, and"
                            + " others stop copying and deleting; 'shelfmark rollback' goes back without loss");
        } else if (from == ClusterState.READY && to == ClusterState.RESTORING) {
            return Optional.of(
                    "within moments brokers stop copying and deleting segments, and consumers that read tiered data"
                            + " wait, until the cluster is ready again");
        } else if (to == ClusterState.BRIDGED) {
            return Optional.of(
                    "brokers in bridge mode will believe Kafka's topic as it is; 'shelfmark rollback' brings it up to"
                            + " date first");
        } else if (to.draining()) {
            return Optional.of(
                    "brokers' writes wait, and fail after a while, until somebody ends it; 'shelfmark cutover' and"
                            + " 'shelfmark rollback' do both");
        }
        return Optional.empty();
    }
}
