package dev.shelfmark.compat.model;

/**
 * Where our answers differ from those of Kafka's own cache, on purpose. A difference that fits none of these, or does not meet what is
 * said here, fails the model check. {@code docs/differences.md} tells the same to operators.
 */
public enum KnownDifference {

    /**
     * Lookup: Kafka answers nothing, we answer a finished segment that covers the offset in the epoch.
     *
     * <p>Kafka looks at a single candidate, the segment with the nearest epoch start at or below the offset. When that one ends before the offset,
     * or was overwritten by a shorter one finished later, or is on its way out, the segments that cover the offset all the same are not
     * found, and the consumer's offset is reset though its records are there. Within one epoch an offset always names the same record, so
     * any finished segment that covers it is right.
     */
    READ_HOLE,

    /**
     * Lookup: both answer, each with a finished segment that covers the offset in the epoch; ours was finished later.
     *
     * <p>Kafka prefers the nearest start. Both hold the same records; the one finished last is the least likely to be on its way out.
     */
    LATER_FINISHED,

    /**
     * List of an epoch: we list segments that Kafka has lost.
     *
     * <p>When a segment is finished at an epoch start that another finished segment holds, while the epoch's highest offset is above its end,
     * Kafka overwrites the other without keeping it as unreferenced. It is still in the list of the partition, but no list of an epoch
     * shows it, so retention never deletes it. Ours is live and has the epoch.
     */
    LOST_FROM_EPOCH_LIST,

    /**
     * List of an epoch: Kafka lists a segment that does not have the epoch.
     *
     * <p>Its add was repeated with other epochs, and Kafka keeps it under the old ones too. We list what the last report says.
     */
    STALE_IN_EPOCH_LIST,

    /**
     * List of an epoch: Kafka throws, we answer.
     *
     * <p>As above, and the segment is deleted since: Kafka finds an id without a segment and fails from then on, for good.
     */
    EPOCH_LIST_FAILS,

    /** Size of an epoch: the sums differ exactly as the lists of the epoch do. */
    SIZE_FOLLOWS_LIST,

    /**
     * Next segment with a transaction index: Kafka answers nothing, we answer a finished segment that may have one and has records of the epoch
     * at or after the offset.
     *
     * <p>Kafka stops at the first offset that no segment covers, or seems not to cover (see {@link #READ_HOLE}). Aborted transactions behind such a
     * gap would be handed to consumers that read committed records only.
     */
    TXN_GAP_SKIPPED,

    /**
     * Next segment with a transaction index: both answer; ours comes before Kafka's in the order of start offsets, or starts with it and
     * was finished later.
     *
     * <p>Of overlapping segments Kafka takes the one with the nearest start. The caller goes on behind the end of what it gets, so the one
     * that starts first is the one with which nothing is missed.
     */
    TXN_EARLIER_OVERLAP,

    /**
     * Add of a segment whose deletion is finished: Kafka creates it anew, we refuse it.
     *
     * <p>Brokers choose a new id for each upload, so such a report can only be late. Creating the segment would list an object that is gone, and
     * for good, as nobody would delete it again. Kafka's cache is not told of such an add in the check, so that all other answers can be compared.
     */
    RECREATED_AFTER_DELETE
}
