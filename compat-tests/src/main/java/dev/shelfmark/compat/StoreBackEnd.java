package dev.shelfmark.compat;

/** A kind of store that the suite can be run on. */
public interface StoreBackEnd {

    /** What {@code -Dcompat.skip} calls it, such as {@code postgres}. */
    String name();

    /**
     * A database without any cluster in it, its schema ready. Fails, loudly and with the next step, when the server that it needs can't be
     * had: a back end that is missing is a failed test, never a skipped one.
     */
    StoreHarness start();
}
