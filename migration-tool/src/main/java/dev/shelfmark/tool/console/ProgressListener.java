package dev.shelfmark.tool.console;

/** Told how an import goes, on its own thread. */
public interface ProgressListener {

    /** The records that are there are being read; so many are to be done in all by this run. */
    void begins(long records);

    /** So many of them are done. */
    void read(long records);

    /** All records that were there when it began are in. */
    void caughtUp();

    /** While it follows: so many records are there that are not in yet. */
    void behind(long records);

    /** The store did not answer; it is tried again. */
    void retries(String reason);
}
