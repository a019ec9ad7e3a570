package dev.shelfmark.store;

import java.util.UUID;

/** Ids as unsigned numbers of 128 bits, which is how databases compare them; {@link UUID#compareTo} takes their halves for signed. */
public final class SegmentIdOrder {

    private SegmentIdOrder() {}

    /** Less than, equal to or more than zero, as {@link java.util.Comparator#compare} has it. */
    public static int compare(UUID id, UUID other) {
        int byHighHalf = Long.compareUnsigned(id.getMostSignificantBits(), other.getMostSignificantBits());
        return byHighHalf != 0
                ? byHighHalf
                : Long.compareUnsigned(id.getLeastSignificantBits(), other.getLeastSignificantBits());
    }
}
