package dev.shelfmark.catalogue.rules;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a broker reports about a partition. */
public sealed interface MetadataEvent {

    /**
     * The upload of a segment begins.
     *
     * @param segment all of it, in state COPY_SEGMENT_STARTED; its versions are not looked at
     */
    record AddSegment(SegmentRecord segment) implements MetadataEvent {
        public AddSegment {
            if (segment.state() != SegmentState.COPY_SEGMENT_STARTED) {
                throw new IllegalArgumentException(
                        "a segment is added as COPY_SEGMENT_STARTED, not as " + segment.state());
            }
        }
    }

    /**
     * A segment reaches another state. As Kafka's {@code createWithUpdates} does, all four values replace the segment's; no custom
     * metadata clears it.
     *
     * @param segmentId the segment
     * @param state the target state, any but COPY_SEGMENT_STARTED
     * @param customMetadata the RemoteStorageManager's bytes, or null
     * @param brokerId who reports it
     * @param eventTimestampMs that broker's clock, milliseconds since 1970
     */
    record UpdateSegment(
            UUID segmentId,
            SegmentState state,
            @Nullable CustomMetadata customMetadata,
            int brokerId,
            long eventTimestampMs)
            implements MetadataEvent {
        public UpdateSegment {
            if (state == SegmentState.COPY_SEGMENT_STARTED) {
                throw new IllegalArgumentException("an update never leads to COPY_SEGMENT_STARTED: add the segment");
            }
        }
    }

    /**
     * The deletion of the whole partition moves on.
     *
     * @param state the target state, any but NONE
     * @param brokerId who reports it
     * @param eventTimestampMs that broker's clock, milliseconds since 1970
     */
    record DeletePartition(PartitionDeletion state, int brokerId, long eventTimestampMs) implements MetadataEvent {
        public DeletePartition {
            if (state == PartitionDeletion.NONE) {
                throw new IllegalArgumentException("a partition's deletion can't be taken back");
            }
        }
    }
}
