package dev.shelfmark.store;

import java.util.Optional;

/**
 * A {@link CatalogueStore} implements this too when it keeps how far each broker has brought a cluster's catalogue, so that a broker can
 * tell that the database went back. Failing as {@link CatalogueStore}.
 */
public interface ProgressKeeping {

    /** What is kept of a cluster; empty before {@link #begin}. Sees everything that was acknowledged before the call. */
    Optional<CatalogueProgress> progress(String clusterId);

    /** Gives a cluster's catalogue its id, unless it has one: then nothing is changed. Safe to repeat. */
    void begin(String clusterId, String catalogueId);

    /**
     * Puts a broker's progress in the place of its last one. Safe to repeat.
     *
     * @throws StoreException.OutcomeUnknown it may be there, now or a little later
     */
    void putProgress(String clusterId, BrokerProgress progress);
}
