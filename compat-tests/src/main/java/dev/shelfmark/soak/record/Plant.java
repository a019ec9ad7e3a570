package dev.shelfmark.soak.record;

/** A broken rule, to see whether the checker finds it. */
public enum Plant {
    /** All is as it should be. */
    NONE,
    /** A read that the store can't answer is answered as if nothing was there. */
    EMPTY_WHEN_UNREACHABLE,
    /** A commit applies whatever version the partition is at. */
    IGNORE_VERSION
}
