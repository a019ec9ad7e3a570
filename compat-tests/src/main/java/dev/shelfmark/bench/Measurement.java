package dev.shelfmark.bench;

/** What a probe can measure. */
enum Measurement {
    /** A manager that was asked nothing: what the others' heap is compared with. */
    EMPTY {
        @Override
        void measure(Subject subject, Results results) {
            Reading.empty(subject, results);
        }
    },
    /** From the start until everything was listed once. */
    STARTING {
        @Override
        void measure(Subject subject, Results results) {
            Reading.start(subject, results);
        }
    },
    /** The same, then heap, lookups, lists and retention passes. */
    READING {
        @Override
        void measure(Subject subject, Results results) {
            Reading.everything(subject, results);
        }
    };

    abstract void measure(Subject subject, Results results);
}
