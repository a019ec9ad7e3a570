package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link AnomalyKind#SUPERSEDED}. */
final class SupersededRule implements Rule {

    private static final int MOST = 1_000;

    private final CheckSettings settings;
    private final @Nullable Duration retention;
    private final Map<UUID, Finding> found = new LinkedHashMap<>();
    private final OverlapPairs pairs = new OverlapPairs(this::overlap);

    /** @param retention how long the topic keeps its records, or null for ever */
    SupersededRule(CheckSettings settings, @Nullable Duration retention) {
        this.settings = settings;
        this.retention = retention;
    }

    @Override
    public void live(SegmentRecord segment) {
        pairs.add(segment);
    }

    private void overlap(OverlapPairs.Pair pair) {
        SegmentRecord earlier = pair.earlier();
        if (pair.superseded() && expired(earlier) && found.size() < MOST) {
            found.putIfAbsent(
                    earlier.segmentId(),
                    Finding.ofSegment(
                            AnomalyKind.SUPERSEDED,
                            earlier,
                            "all its offsets are held by segment "
                                    + TextualId.of(pair.later().segmentId()) + "; its newest record is of "
                                    + Instant.ofEpochMilli(earlier.maxTimestampMs())));
        }
    }

    /** A task of a broker had time to delete it, too. */
    private boolean expired(SegmentRecord segment) {
        return retention != null
                && !settings.inFlight(segment)
                && segment.maxTimestampMs()
                        < settings.now().minus(retention).minus(settings.age()).toEpochMilli();
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        found.values().forEach(findings);
    }
}
