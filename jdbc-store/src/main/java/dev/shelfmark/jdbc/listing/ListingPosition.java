package dev.shelfmark.jdbc.listing;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place in a listing: the columns that order it, as the text that callers hand back.
 *
 * @param number a start offset or a partition's number
 * @param id a segment's or topic's id
 */
record ListingPosition(long number, UUID id) {

    /** Before everything: neither offsets nor partitions are negative. */
    private static final ListingPosition FIRST = new ListingPosition(-1, new UUID(0, 0));

    static String of(long number, UUID id) {
        return number + "/" + id;
    }

    static ListingPosition parse(@Nullable String text) {
        if (text == null) {
            return FIRST;
        }
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a position of this store's listings");
        }
        return new ListingPosition(
                Long.parseLong(text.substring(0, slash)), UUID.fromString(text.substring(slash + 1)));
    }
}
