package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@link AnomalyKind#GAP}. Each epoch goes on where it, or for its first offset any lower one, ended. A gap in which something was
 * changed a short while ago is in flight: an upload that others overtook, or a deletion that goes through the partition.
 */
final class GapRule implements Rule {

    private static final int MOST = 1_000;

    private final CheckSettings settings;
    private final TreeMap<Integer, Long> endByEpoch = new TreeMap<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<SegmentRecord> inFlight = new ArrayList<>();

    GapRule(CheckSettings settings) {
        this.settings = settings;
    }

    private record Gap(int epoch, long start, long end) {
        boolean touchedBy(SegmentRecord segment) {
            return segment.startOffset() <= end && start <= segment.endOffset();
        }
    }

    @Override
    public void live(SegmentRecord segment) {
        if (segment.state() != SegmentState.COPY_SEGMENT_FINISHED) {
            if (settings.inFlight(segment) && inFlight.size() < MOST) {
                inFlight.add(segment);
            }
            return;
        }
        for (EpochRange range : EpochRange.of(segment)) {
            Long reached = reached(range.epoch());
            if (reached != null && range.start() > reached + 1 && gaps.size() < MOST) {
                gaps.add(new Gap(range.epoch(), reached + 1, range.start() - 1));
            }
            endByEpoch.merge(range.epoch(), range.end(), Math::max);
        }
    }

    private @Nullable Long reached(int epoch) {
        Long own = endByEpoch.get(epoch);
        if (own != null) {
            return own;
        }
        Map<Integer, Long> lower = endByEpoch.headMap(epoch);
        return lower.isEmpty()
                ? null
                : lower.values().stream().max(Long::compare).orElseThrow();
    }

    @Override
    public void deleted(SegmentRecord segment) {
        if (settings.inFlight(segment)) {
            gaps.removeIf(gap -> gap.touchedBy(segment));
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        inFlight.forEach(segment -> gaps.removeIf(gap -> gap.touchedBy(segment)));
        gaps.forEach(gap -> findings.accept(new Finding(
                AnomalyKind.GAP,
                null,
                gap.start(),
                gap.end(),
                gap.epoch(),
                null,
                "no readable segment holds offsets " + gap.start() + " to " + gap.end() + " before epoch " + gap.epoch()
                        + " goes on at " + (gap.end() + 1))));
    }
}
