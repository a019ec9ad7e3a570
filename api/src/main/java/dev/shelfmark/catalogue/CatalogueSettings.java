package dev.shelfmark.catalogue;

import java.time.Duration;

/**
 * How fresh answers are, and how much is held.
 *
 * @param maxCachedSegments the most segments held in memory, over all partitions
 * @param leaderMaxStaleness how old the last look at the store may be for a partition that this broker leads. Its own writes count as
 *     looks, so this only bounds how long a broker that lost its leadership without noticing goes on answering
 * @param followerMaxStaleness the same for other partitions; zero reads the store for every answer
 * @param outageMaxStaleness the same for led partitions while the store can't be reached
 * @param readTimeout how long an answer may wait for another thread that is reading the same partition
 */
public record CatalogueSettings(
        long maxCachedSegments,
        Duration leaderMaxStaleness,
        Duration followerMaxStaleness,
        Duration outageMaxStaleness,
        Duration readTimeout) {

    /** The defaults, as documented for the plugin's settings. */
    public static CatalogueSettings defaults() {
        return new CatalogueSettings(
                1_000_000, Duration.ofSeconds(5), Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(15));
    }
}
