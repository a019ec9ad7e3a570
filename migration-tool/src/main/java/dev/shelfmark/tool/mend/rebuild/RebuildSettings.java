package dev.shelfmark.tool.mend.rebuild;

import java.nio.file.Path;
import java.time.Instant;

/**
 * How a rebuild is done.
 *
 * @param clusterId the cluster
 * @param requests how many reads may be in flight at once
 * @param requestsPerSecond how many reads may begin in a second, or 0 for no limit
 * @param includeBelowLogStart whether segments that end below the log start offset are brought in, too
 * @param includeUnknownTopics whether segments of topics that are not known are brought in, too
 * @param latest what was written after it was written in the future
 * @param workDirectory where temporary files may be written, about 600 bytes for each segment's objects
 */
record RebuildSettings(
        String clusterId,
        int requests,
        double requestsPerSecond,
        boolean includeBelowLogStart,
        boolean includeUnknownTopics,
        Instant latest,
        Path workDirectory) {}
