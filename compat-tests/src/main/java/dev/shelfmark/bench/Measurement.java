package dev.shelfmark.bench;

/** What a probe can measure. */
enum Measurement {
    /** A manager of an empty partition: what the others' heap is compared with. */
    EMPTY,
    /** From the start to the first right lookup. */
    FIRST,
    /** A connection of the driver alone, and one question. */
    CONNECTING,
    /** A start, and on until everything was listed once. */
    STARTING,
    /** The same, then heap, lookups, lists and retention passes. */
    READING,
    /** Heap when the catalogue is larger than what may be held. */
    BOUNDED,
    /** Lookups of a partition that is not held. */
    UNCACHED,
    /** What each operation asks of the store. */
    COSTS,
    /** Reports of segments, one at a time and many at once. */
    WRITING,
    /** The deletion of a topic. */
    DELETING,
    /** The database goes away and comes back. */
    RECOVERING;

    void measure(Settings settings, Results results) {
        switch (this) {
            case EMPTY -> Reading.empty(settings, results);
            case FIRST -> Reading.first(settings, results);
            case CONNECTING -> BareConnection.measure(settings, results);
            case STARTING -> Reading.start(settings, results);
            case READING -> Reading.everything(settings, results);
            case BOUNDED -> Reading.bounded(settings, results);
            case UNCACHED -> Uncached.measure(settings, results);
            case COSTS -> Costs.measure(settings, results);
            case WRITING -> Writing.measure(settings, results);
            case DELETING -> Deleting.measure(settings, results);
            case RECOVERING -> Recovering.measure(settings, results);
        }
    }
}
