package dev.shelfmark.store;

/** How far the deletion of a whole partition has come. Names are those of Kafka's {@code RemotePartitionDeleteState}. */
public enum PartitionDeletion {
    /** No deletion was asked for. */
    NONE,
    DELETE_PARTITION_MARKED,
    DELETE_PARTITION_STARTED,
    DELETE_PARTITION_FINISHED
}
