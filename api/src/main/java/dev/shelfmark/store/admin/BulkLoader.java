package dev.shelfmark.store.admin;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import java.util.List;
import java.util.Map;

/**
 * Brings one cluster's history in from numbered sources, many segments at a time, while the cluster is in the state that the claim is for.
 * Handed out to one holder at a time by {@link BulkLoading#claimLoad}; used by one thread at a time. It judges no state, as {@link CatalogueStore}.
 *
 * <p>Every change is made only while the claim is this loader's and the cluster is in that state, checked in the same atomic write: a loader that was paused, or that goes on after the cluster was declared ready, changes nothing. Each change renews the claim.
 * Fails as {@link CatalogueStore}, OutcomeUnknown included; after a failure read {@link #checkpoints} and {@link #progress} again.
 */
public interface BulkLoader extends AutoCloseable {

    /** Whether nothing was ever written for any partition of the cluster. */
    boolean empty();

    /** How far each source was brought in; a source that was never begun is left out. */
    Map<Integer, Checkpoint> checkpoints();

    /** What was loaded from a source beyond its checkpoint, by partition. */
    Map<PartitionKey, Progress> progress(int source);

    /** How many segments one {@link PartitionLoad} can change; at least 1, the same for the loader's life. */
    int maxSegmentsPerLoad();

    /** What a leader epoch of a segment counts in {@link #maxBytesPerLoad}. */
    int EPOCH_BYTES = 32;

    /**
     * How many bytes one {@link PartitionLoad} of several segments should hold at most, of their custom metadata and leader epochs together;
     * what else a segment has is in {@link #maxSegmentsPerLoad}.
     */
    default long maxBytesPerLoad() {
        return Long.MAX_VALUE;
    }

    /**
     * Applies each load atomically, in the order given; a store may apply several or all of them in one atomic step.
     *
     * @return LOADED when all are durable; otherwise those before the one that failed may be
     */
    LoadResult load(List<PartitionLoad> loads);

    /** Records how far a source was brought in, and forgets the {@link #progress} that goes no further, as one atomic change. */
    LoadResult checkpoint(int source, Checkpoint checkpoint);

    /** Prolongs the claim while there is nothing to load. */
    LoadResult renew();

    /** Gives the claim back, if it is still this loader's. May be called twice. */
    @Override
    void close();

    /** What became of a change. */
    enum LoadResult {
        /** It is durable. */
        LOADED,
        /** Nothing was changed: another holder has the claim now. */
        CLAIM_LOST,
        /** Nothing was changed: the cluster is in another state than the claim is for. */
        NOT_IMPORTING,
        /** Nothing was changed: a partition is not at the expected version, so somebody else has written it. */
        VERSION_CONFLICT
    }

    /**
     * How far a source was brought in.
     *
     * @param sourceId what the source is, in the reader's own words: offsets mean nothing for another
     * @param nextOffset the offset to go on from
     * @param note the reader's own, kept as it is
     */
    record Checkpoint(String sourceId, long nextOffset, String note) {}

    /**
     * How far one partition was brought in from a source.
     *
     * @param nextOffset events of the source before this offset are applied
     * @param note the reader's own, kept as it is
     */
    record Progress(long nextOffset, String note) {}
}
