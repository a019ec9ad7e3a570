package dev.shelfmark.bench;

import java.util.function.BiConsumer;

/** What a probe can measure. */
enum Measurement {
    /** A manager that was asked nothing: what the others' heap is compared with. */
    EMPTY(Reading::empty),
    /** From the start until everything was listed once. */
    STARTING(Reading::start),
    /** The same, then heap, lookups, lists and retention passes. */
    READING(Reading::everything),
    /** Heap when the catalogue is larger than what may be held. */
    BOUNDED(Reading::bounded),
    /** Lookups of a partition that is not held. */
    UNCACHED(Uncached::measure),
    /** Reports of segments, one at a time and many at once. */
    WRITING(Writing::measure),
    /** The deletion of a topic. */
    DELETING(Deleting::measure),
    /** The database goes away and comes back. */
    RECOVERING(Recovering::measure);

    private final BiConsumer<Settings, Results> work;

    Measurement(BiConsumer<Settings, Results> work) {
        this.work = work;
    }

    void measure(Settings settings, Results results) {
        work.accept(settings, results);
    }
}
