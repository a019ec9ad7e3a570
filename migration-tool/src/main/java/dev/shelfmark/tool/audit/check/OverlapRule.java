package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@link AnomalyKind#OVERLAP}; of a segment that another holds whole, {@link SupersededRule} tells. */
final class OverlapRule implements Rule {

    private static final int MOST = 1_000;

    private final List<Finding> found = new ArrayList<>();
    private final OverlapPairs pairs = new OverlapPairs(this::overlap);

    @Override
    public void live(SegmentRecord segment) {
        pairs.add(segment);
    }

    private void overlap(OverlapPairs.Pair pair) {
        if (pair.superseded() || found.size() >= MOST) {
            return;
        }
        SegmentRecord earlier = pair.earlier();
        SegmentRecord later = pair.later();
        found.add(new Finding(
                AnomalyKind.OVERLAP,
                TextualId.of(later.segmentId()),
                Math.max(earlier.startOffset(), later.startOffset()),
                Math.min(earlier.endOffset(), later.endOffset()),
                null,
                Instant.ofEpochMilli(later.eventTimestampMs()),
                "overlaps segment " + TextualId.of(earlier.segmentId()) + ", which was finished before it"));
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        found.forEach(findings);
    }
}
