package dev.shelfmark.store;

import java.time.Duration;

/**
 * For how long a store keeps what is only there to be looked back at.
 *
 * @param deletedSegments the records of deleted segments, from their deletion
 * @param history the changes of a partition, from their commit; zero keeps none
 */
public record Retention(Duration deletedSegments, Duration history) {

    /** Of who commits nothing, or must leave no history. */
    public static final Retention NONE = new Retention(Duration.ZERO, Duration.ZERO);

    /** Whether the changes of a commit are kept at all. */
    public boolean keepsHistory() {
        return history.compareTo(Duration.ZERO) > 0;
    }
}
