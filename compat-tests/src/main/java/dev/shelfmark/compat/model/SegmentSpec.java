package dev.shelfmark.compat.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/**
 * A segment as a sequence names it, of no particular partition, so that a sequence can be replayed.
 *
 * @param number stands for the segment's id
 * @param start first offset
 * @param end last offset
 * @param epochs start offset by leader epoch
 * @param txnIndexEmpty whether there is no transaction index
 * @param size in bytes
 * @param custom see {@link #custom(int)}
 */
record SegmentSpec(
        int number,
        long start,
        long end,
        NavigableMap<Integer, Long> epochs,
        boolean txnIndexEmpty,
        int size,
        int custom) {

    SegmentSpec {
        epochs = Collections.unmodifiableNavigableMap(new TreeMap<>(epochs));
    }

    /** The id that a number stands for. Half of the ids have their sign bit set. */
    static RemoteLogSegmentId id(TopicIdPartition partition, int number) {
        long bits = (number + 1) * 0x9E37_79B9_7F4A_7C15L;
        return new RemoteLogSegmentId(partition, new Uuid(bits, -number));
    }

    /** 0 for none, else one byte fewer of metadata. */
    static Optional<CustomMetadata> custom(int custom) {
        if (custom == 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[custom - 1];
        Arrays.fill(bytes, (byte) (200 + custom));
        return Optional.of(new CustomMetadata(bytes));
    }

    RemoteLogSegmentMetadata started(TopicIdPartition partition, int step) {
        return new RemoteLogSegmentMetadata(
                id(partition, number),
                start,
                end,
                size * 3L - 1,
                step % 3,
                1_000_000L + step,
                size,
                custom(custom),
                RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                epochs,
                txnIndexEmpty);
    }

    @Override
    public String toString() {
        return "S" + number + "[" + start + "-" + end + " epochs " + epochs + (txnIndexEmpty ? " no txn index" : "")
                + " size " + size + " custom " + custom + "]";
    }
}
