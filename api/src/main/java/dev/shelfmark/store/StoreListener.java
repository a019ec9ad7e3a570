package dev.shelfmark.store;

/** Told by a store what it does, for metrics and for tests that count. Must be fast, must not throw, is called by many threads. */
public interface StoreListener {

    /** Listens to nothing. */
    StoreListener NONE = new StoreListener() {
        @Override
        public void requested(String operation, long rows, long nanos) {}

        @Override
        public void retried(String operation, String reason) {}
    };

    /**
     * One request to the back end ended: a statement, an API call. A call of the SPI may need several.
     *
     * @param operation what for, from a small fixed set, such as {@code read.changes} or {@code commit}
     * @param rows rows or items read or written
     * @param nanos how long it took
     */
    void requested(String operation, long rows, long nanos);

    /**
     * A request failed and is tried again.
     *
     * @param operation as above
     * @param reason the back end's code, such as an SQLSTATE; from a small set, never a message
     */
    void retried(String operation, String reason);

    /**
     * What a request cost, where the back end bills by the request. A default that does nothing, because most back ends do not.
     *
     * @param operation as above
     * @param readUnits read units billed
     * @param writeUnits write units billed
     */
    default void consumed(String operation, double readUnits, double writeUnits) {}
}
