package dev.shelfmark.migration.history;

/** Why reading ended without a failure. */
public enum Ending {
    /** Everything up to the captured end is in. */
    COMPLETE,
    /** Somebody told it to stop; what was read is in. */
    STOPPED,
    /** The cluster is no longer being imported: somebody has declared it ready. */
    SWITCHED
}
