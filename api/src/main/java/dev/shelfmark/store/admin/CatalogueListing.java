package dev.shelfmark.store.admin;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through everything that a store keeps, page by page, for audits, exports and comparisons; never used by a broker. Needs the
 * rights of an auditor and changes nothing. For a single partition or segment an auditor may also call {@link CatalogueStore#read}.
 *
 * <ul>
 *   <li><b>Pages</b>: each call is one bounded request, or a small fixed number of them, whatever the catalogue holds; who must
 *       spare the store calls less often ({@link PacedListing}). A page that holds less than was asked for, or nothing, need
 *       not be the last: only a page without a {@link Page#next} is.
 *   <li><b>Consistency</b>: each page is strongly consistent. Two pages are read at different times, so a listing as a whole is
 *       not of one version: whoever concludes something from several pages looks again before reporting it.
 *   <li><b>Writes meanwhile</b>: what is there, and of the asked kind, from the listing's begin to its end is handed over
 *       exactly once. What comes or goes meanwhile may or may not be.
 *   <li><b>Unreadable rows</b> are items of the page, and end nothing.
 *   <li><b>Threads</b>, <b>time</b>, <b>failures</b> and <b>clusters</b> are as {@link CatalogueStore} has them.
 * </ul>
 */
public interface CatalogueListing extends AutoCloseable {

    /** More items than this are never asked of the back end for one page, whatever a caller's limit is. */
    int MAX_PAGE = 1000;

    /** Connects if need be, and checks that the schema is there, is of a version that this build can work with, and may be read. */
    void verify();

    /**
     * Every cluster's record, by cluster id.
     *
     * @throws StoreException.Corrupt when one of them can't be understood
     */
    List<ClusterRecord> clusters();

    /**
     * The partitions of a cluster of which something was ever written, in an order that is the store's own and never changes.
     *
     * @param clusterId the cluster
     * @param after {@link Page#next} of the page before, or null for the first
     * @param limit how many at most, from 1
     */
    Page<PartitionSummary> partitions(String clusterId, @Nullable String after, int limit);

    /**
     * The segments of a partition: the live ones by start offset and then by id ({@link java.util.UUID} compared as an unsigned number),
     * the deleted ones in an order that is the store's own.
     *
     * <p>A segment never becomes live again. So who lists the live ones first and the deleted ones then misses none that was
     * there when it began; one that is deleted in between may come in both.
     *
     * @param key the partition
     * @param kept which ones
     * @param after {@link Page#next} of the page before, or null for the first
     * @param limit how many at most, from 1
     */
    Page<SegmentRecord> segments(PartitionKey key, Kept kept, @Nullable String after, int limit);

    /**
     * The changes of a partition that are kept, by version: oldest first. Those whose time is over are left out, whether they are
     * purged or not. A partition's first changes may be missing, and those between two others: what was imported, or committed while no
     * history was kept, is not in it.
     *
     * @param key the partition
     * @param after {@link Page#next} of the page before, or null for the first
     * @param limit how many at most, from 1
     */
    Page<RecordedChange> history(PartitionKey key, @Nullable String after, int limit);

    /** Gives up every connection. May be called twice. */
    @Override
    void close();

    /** Which segments a listing is about. */
    enum Kept {
        /** {@link SegmentState#live()}. */
        LIVE,
        /** DELETE_SEGMENT_FINISHED, and not purged yet. */
        DELETED
    }

    /**
     * A part of a listing.
     *
     * @param items what it holds; may be none
     * @param next where the next page begins, in the store's own words; null when there is none
     */
    record Page<T>(List<Listed<T>> items, @Nullable String next) {
        public Page {
            items = List.copyOf(items);
        }
    }

    /** One row of the store. */
    sealed interface Listed<T> {}

    /**
     * A row as it should be.
     *
     * @param value what it says
     */
    record Found<T>(T value) implements Listed<T> {}

    /**
     * A row that is there and can't be understood: a state of a newer build, or damage. A person must look.
     *
     * @param id which one, in Kafka's words: a segment's or topic's textual id; or the version of a change
     * @param reason why it can't be understood
     */
    record Unreadable<T>(String id, String reason) implements Listed<T> {}
}
