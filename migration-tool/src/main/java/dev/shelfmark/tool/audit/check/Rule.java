package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.util.function.Consumer;

/**
 * Looks for one kind of anomaly in one partition, once. It is shown the live segments by start offset, then the deleted ones that are kept
 * in any order, and then the head, which is at least as new; it keeps no more than a bounded number of them.
 */
interface Rule {

    /** A live segment. */
    default void live(SegmentRecord segment) {}

    /** A row among those of a kind that can't be understood. */
    default void unreadable(Unreadable<SegmentRecord> row, Kept kept) {}

    /** A segment that is DELETE_SEGMENT_FINISHED. */
    default void deleted(SegmentRecord segment) {}

    /** All was shown. */
    void end(PartitionHead head, Consumer<Finding> findings);
}
