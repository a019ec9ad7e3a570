package dev.shelfmark.store.admin;

import dev.shelfmark.store.CatalogueProgress;
import java.util.Optional;
import java.util.Set;

/**
 * A {@link StoreAdministration} implements this too when its store keeps a catalogue's progress: an operator accepts a catalogue that
 * brokers refuse because it went back. Failing as {@link StoreAdministration}.
 */
public interface ProgressAcceptance {

    /** As {@link dev.shelfmark.store.ProgressKeeping#progress}. */
    Optional<CatalogueProgress> progress(String clusterId);

    /**
     * Gives a cluster's catalogue another id, so that brokers take it in the place of those that they have seen.
     *
     * @param current the id that it has; empty for none
     * @param next its id from now on
     * @param replaces the ids of every catalogue in whose place brokers may take it
     * @return false when it has another id than {@code current}; nothing is changed then
     */
    boolean accept(String clusterId, Optional<String> current, String next, Set<String> replaces);
}
