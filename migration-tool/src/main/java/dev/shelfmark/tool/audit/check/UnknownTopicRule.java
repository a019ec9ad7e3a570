package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import java.util.function.Consumer;

/**
 * {@link AnomalyKind#UNKNOWN_TOPIC}, in a partition whose topic the brokers do not have. A topic that was created since they were
 * asked, and one that is being deleted, have had changes a short while ago.
 */
final class UnknownTopicRule implements Rule {

    private final CheckSettings settings;
    private long live;
    private long bytes;
    private boolean inFlight;

    UnknownTopicRule(CheckSettings settings) {
        this.settings = settings;
    }

    @Override
    public void live(SegmentRecord segment) {
        live++;
        bytes += segment.sizeInBytes();
        inFlight |= settings.inFlight(segment);
    }

    @Override
    public void deleted(SegmentRecord segment) {
        inFlight |= settings.inFlight(segment);
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        if (live > 0 && !inFlight) {
            findings.accept(Finding.ofPartition(
                    AnomalyKind.UNKNOWN_TOPIC,
                    live + " segments of " + bytes + " bytes; the cluster has no topic of this id"));
        }
    }
}
