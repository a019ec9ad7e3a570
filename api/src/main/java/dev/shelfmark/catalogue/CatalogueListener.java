package dev.shelfmark.catalogue;

/** Told of what an operator wants counted. Must be fast, must not throw, is called by many threads. */
public interface CatalogueListener {

    /** Listens to nothing. */
    CatalogueListener NONE = new CatalogueListener() {};

    /** A partition's segments were read into memory. */
    default void loaded(long segments, long nanos) {}

    /** An answer came from memory without asking the store. */
    default void answeredFromMemory() {}

    /** An answer came from memory because the store could not be asked. */
    default void answeredDuringOutage() {}

    /** A commit found that another writer had been first, and is decided again. */
    default void conflicted() {}

    /** A commit's outcome was unknown, and is found out by reading. */
    default void outcomeUnknown() {}
}
