package dev.shelfmark.compat.model;

import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** One step of a sequence. */
sealed interface Operation {

    /**
     * An upload begins.
     *
     * @param segment the segment
     * @param zombie whether the broker that does not lead reports it
     */
    record Add(SegmentSpec segment, boolean zombie) implements Operation {
        @Override
        public String toString() {
            return "add " + segment + (zombie ? " by the other broker" : "");
        }
    }

    /**
     * A segment reaches a state.
     *
     * @param number the segment's
     * @param state the state
     * @param custom as {@link SegmentSpec#custom(int)}
     * @param stamp told apart repeats: broker and time are made of it
     * @param zombie as above
     */
    record Update(int number, RemoteLogSegmentState state, int custom, int stamp, boolean zombie) implements Operation {

        RemoteLogSegmentMetadataUpdate update(TopicIdPartition partition) {
            return new RemoteLogSegmentMetadataUpdate(
                    SegmentSpec.id(partition, number),
                    2_000_000L + stamp,
                    SegmentSpec.custom(custom),
                    state,
                    stamp % 5);
        }

        @Override
        public String toString() {
            return "S" + number + " -> " + state + " custom " + custom + " stamp " + stamp
                    + (zombie ? " by the other broker" : "");
        }
    }

    /** The other broker becomes the leader. */
    record MoveLeadership() implements Operation {}

    /** The leader is shut down, comes back with nothing in memory, and leads again. */
    record RestartLeader() implements Operation {}

    /** The leader loses the partition from its memory. */
    record EvictFromLeader() implements Operation {}
}
