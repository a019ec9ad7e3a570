package dev.shelfmark.compat.remote;

import java.util.Locale;

/** A moment of the remote storage's work at which a test can stop it or make it fail. */
public enum StoragePoint {
    /** The catalogue has COPY_SEGMENT_STARTED, no file is written. */
    BEFORE_COPY,
    /** Every file is written, the catalogue does not have COPY_SEGMENT_FINISHED yet. */
    AFTER_COPY,
    /** A consumer or a follower asks for a segment or an index of it. */
    BEFORE_FETCH,
    /** The catalogue has DELETE_SEGMENT_STARTED, every file is there. */
    BEFORE_DELETE,
    /** Every file is gone, the catalogue does not have DELETE_SEGMENT_FINISHED yet. */
    AFTER_DELETE;

    String fileName(String what) {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + "." + what;
    }
}
