package dev.shelfmark.tool.audit;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.audit.walk.SegmentFilter;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose segments. */
final class SegmentOptions {

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description =
                    "Only segments in these states: ${COMPLETION-CANDIDATES}. The default is all but DELETE_SEGMENT_FINISHED,"
                            + " of which the store keeps records for a while.")
    private Set<SegmentState> states = EnumSet.noneOf(SegmentState.class);

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Only segments whose last change, by the broker's clock, was at this moment or later: such as"
                    + " 2026-05-03T10:15:00Z, or 6h or 7d ago.")
    private @Nullable Instant since;

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description = "Only segments whose last change was before this moment.")
    private @Nullable Instant until;

    @Option(
            names = "--older-than",
            paramLabel = "WHEN",
            description =
                    "Only segments whose newest record is older than this moment, such as 2026-05-03T10:15:00Z or 90d ago:"
                            + " all that they hold is older. In each partition the next segment may begin with older records, too.")
    private @Nullable Instant olderThan;

    SegmentFilter filter() {
        return new SegmentFilter(states.isEmpty() ? SegmentFilter.LIVE.states() : states, since, until, olderThan);
    }
}
