package dev.shelfmark.jdbc.partition;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * States as they stand in the database: Kafka's own ids for partition deletions, words for clusters. What a build does not know it does
 * not guess.
 */
public final class StateCodes {

    private StateCodes() {}

    public static @Nullable Short code(PartitionDeletion deletion) {
        return switch (deletion) {
            case NONE -> null;
            case DELETE_PARTITION_MARKED -> (short) 0;
            case DELETE_PARTITION_STARTED -> (short) 1;
            case DELETE_PARTITION_FINISHED -> (short) 2;
        };
    }

    public static PartitionDeletion partitionDeletion(@Nullable Integer code) {
        if (code == null) {
            return PartitionDeletion.NONE;
        }
        return switch (code) {
            case 0 -> PartitionDeletion.DELETE_PARTITION_MARKED;
            case 1 -> PartitionDeletion.DELETE_PARTITION_STARTED;
            case 2 -> PartitionDeletion.DELETE_PARTITION_FINISHED;
            default -> throw unknown("partition deletion", code);
        };
    }

    public static String word(ClusterState state) {
        return switch (state) {
            case IMPORTING -> "importing";
            case DRAINING_TO_READY -> "draining_to_ready";
            case READY -> "ready";
            case DRAINING_TO_BRIDGED -> "draining_to_bridged";
            case BRIDGED -> "bridged";
            case RESTORING -> "restoring";
        };
    }

    public static ClusterState clusterState(String word) {
        return switch (word) {
            case "importing" -> ClusterState.IMPORTING;
            case "draining_to_ready" -> ClusterState.DRAINING_TO_READY;
            case "ready" -> ClusterState.READY;
            case "draining_to_bridged" -> ClusterState.DRAINING_TO_BRIDGED;
            case "bridged" -> ClusterState.BRIDGED;
            case "restoring" -> ClusterState.RESTORING;
            default -> throw unknown("cluster state", word);
        };
    }

    public static String word(BrokerHeartbeat.Mode mode) {
        return switch (mode) {
            case CATALOGUE -> "catalogue";
            case BRIDGE -> "bridge";
        };
    }

    public static BrokerHeartbeat.Mode mode(String word) {
        return switch (word) {
            case "catalogue" -> BrokerHeartbeat.Mode.CATALOGUE;
            case "bridge" -> BrokerHeartbeat.Mode.BRIDGE;
            default -> throw unknown("broker's mode", word);
        };
    }

    private static StoreException unknown(String what, Object value) {
        return new StoreException.Corrupt(
                "the catalogue holds the " + what + " '" + value
                        + "', which this build does not know: was it written by a newer" + " one?",
                null);
    }
}
