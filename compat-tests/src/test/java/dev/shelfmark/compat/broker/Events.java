package dev.shelfmark.compat.broker;

import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.UUID;

/** What a broker reports, for tests that write to a catalogue beside the brokers. */
final class Events {

    private Events() {}

    /** The copy of a segment of these offsets, all of leader epoch 0, begins. */
    static MetadataEvent added(UUID segment, long startOffset, long endOffset) {
        return added(segment, startOffset, endOffset, System.currentTimeMillis());
    }

    static MetadataEvent added(UUID segment, long startOffset, long endOffset, long eventTimestampMs) {
        return new MetadataEvent.AddSegment(
                SegmentRecord.builder(segment, startOffset, endOffset, LeaderEpochs.of(0, startOffset))
                        .maxTimestampMs(eventTimestampMs)
                        .sizeInBytes(1_000_000)
                        .txnIndexEmpty(true)
                        .brokerId(1)
                        .eventTimestampMs(eventTimestampMs)
                        .build());
    }

    /** A segment reaches a state. */
    static MetadataEvent updated(UUID segment, SegmentState state) {
        return updated(segment, state, System.currentTimeMillis());
    }

    static MetadataEvent updated(UUID segment, SegmentState state, long eventTimestampMs) {
        return new MetadataEvent.UpdateSegment(segment, state, null, 1, eventTimestampMs);
    }
}
