package dev.shelfmark.store;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The primitives that a catalogue stands on. A store knows no rule of Kafka's: it keeps records, it does not judge them.
 *
 * <ul>
 *   <li><b>Threads</b>: every method may be called by many threads at once.
 *   <li><b>Time</b>: every call ends within the store's configured limits, with a result or a {@link StoreException}.
 *   <li><b>Interrupts</b>: a call of an interrupted thread may end with {@link StoreException.Unavailable} (a commit also with
 *       {@link StoreException.OutcomeUnknown}); the thread's interrupt flag is then set.
 *   <li><b>Failures</b>: every method may throw {@link StoreException.Unavailable}, {@link StoreException.AccessDenied} and
 *       {@link StoreException.SchemaMismatch}; the others where they are named. A failure is never an empty answer.
 *   <li><b>Clusters</b>: what is kept under one cluster id is never seen or changed under another.
 * </ul>
 */
public interface CatalogueStore extends AutoCloseable {

    /**
     * Connects if need be, and checks that the schema is there, is of a version that this build can work with, and may be read
     * and written. Changes nothing, and costs the same however many segments there are.
     */
    void verify();

    /**
     * The record of a cluster; empty only when the store was asked and has none.
     *
     * <p>Sees every change that was acknowledged before the call.
     *
     * @throws StoreException.Corrupt when the record is there but can't be understood, such as a state of a newer build
     */
    Optional<ClusterRecord> cluster(String clusterId);

    /**
     * Reads a partition's head and a selection of its segments, as they were together at one version.
     *
     * <p>Strongly consistent: sees every commit that was acknowledged before the call, by whatever process. A partition of which
     * nothing was ever written has {@link PartitionHead#NEW} and no segments.
     *
     * <p>Segments are handed over one at a time while they are read, so that a large partition never stands in memory twice.
     * A segment may be handed over more than once: the last time counts, and a DELETE_SEGMENT_FINISHED record takes back
     * what was handed over before. When the call throws, all that was handed over is void.
     *
     * @param key the partition
     * @param selection which segments
     * @param segments takes them, on the calling thread; must not call the store
     * @return the head
     * @throws StoreException.Corrupt when what is kept can't be understood
     */
    PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments);

    /**
     * Applies a change if the partition is at the expected version and has no record of the segments that the change takes for new: the
     * head, the raised highest offsets, every segment record, and while {@link Retention#history()} is not zero every entry of the
     * history, all of it or nothing.
     *
     * <p>Of several commits with one expected version at most one is applied, whichever processes they come from. When it
     * returns {@link CommitResult.Committed}, the change is durable and every later read sees it. A repeat of a commit that was applied
     * is a conflict, so a repeat never applies twice.
     *
     * @param key the partition
     * @param commit the change; at most {@link #maxSegmentsPerCommit()} segments
     * @return whether it was applied
     * @throws StoreException.Unavailable nothing was or will be applied
     * @throws StoreException.OutcomeUnknown it may be applied, now or a little later, never in part
     * @throws StoreException.Unsupported a record is beyond the store's limits; nothing was applied
     */
    CommitResult commit(PartitionKey key, PartitionCommit commit);

    /** How many segments one {@link #commit} can change; at least 1, the same for the store's life. */
    int maxSegmentsPerCommit();

    /**
     * Removes records of segments that have been DELETE_SEGMENT_FINISHED for longer than
     * {@link Retention#deletedSegments()}, by the store's clock. Versions, heads and live segments stay as they are.
     * Safe to call from many brokers at once: they share the work. A store whose records expire by themselves returns 0.
     *
     * @param clusterId the cluster whose records may be removed
     * @param limit how many to remove at most, which bounds the cost of the call
     * @return how many were removed; less than {@code limit} when no more are due
     */
    int purgeDeleted(String clusterId, int limit);

    /**
     * Removes entries of the history whose time is over, whichever cluster's they are: nobody is shown them any more. How long an entry is
     * kept was settled when it was written. Safe to call from many brokers at once: they share the work. A store whose records expire
     * by themselves returns 0.
     *
     * @param limit how many to remove at most, which bounds the cost of the call; a store that keeps the entries of a commit together
     *     may count them as one
     * @return how many were removed, counted likewise; less than {@code limit} when no more are due
     */
    int purgeHistory(int limit);

    /**
     * Puts a broker's heartbeat in the place of its last one. Safe to repeat.
     *
     * @throws StoreException.OutcomeUnknown it may be there, now or a little later
     */
    void heartbeat(BrokerHeartbeat beat);

    /** Gives up every connection and thread. May be called twice; calls under way end with {@link StoreException.Unavailable}. */
    @Override
    void close();
}
