package dev.shelfmark.store.admin;

import java.time.Instant;

/** Whether a cluster's history may be brought in by who asks. */
public sealed interface LoadClaim {

    /**
     * It may, until the term is over or the loader is closed.
     *
     * @param loader holds the claim
     */
    record Granted(BulkLoader loader) implements LoadClaim {}

    /**
     * It may not: somebody else is at it.
     *
     * @param holder who, as they named themselves
     * @param until when their claim ends unless they renew it, by the store's clock
     */
    record Held(String holder, Instant until) implements LoadClaim {}
}
