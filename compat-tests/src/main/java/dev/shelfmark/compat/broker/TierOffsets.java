package dev.shelfmark.compat.broker;

/**
 * Where a partition's log stands, as its leader says.
 *
 * @param start the first offset that can be read, from whichever tier
 * @param localStart the first offset on the broker's own disk
 * @param latestTiered the last offset in the remote tier, or -1
 * @param end the offset that the next record gets
 */
public record TierOffsets(long start, long localStart, long latestTiered, long end) {

    /** Whether some records are in the remote tier only. */
    public boolean hasRemoteOnly() {
        return localStart > start;
    }
}
