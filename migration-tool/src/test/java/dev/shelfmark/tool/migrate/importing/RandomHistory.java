package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.tool.kafka.MemoryBrokers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/**
 * A history as brokers, and accidents, write it: overlaps, several and empty leader epochs, repeats, finishes out of order, dangling
 * starts, deletions repeated and late, updates without a start, illegal transitions, tombstones.
 */
public final class RandomHistory {

    private static final List<RemoteLogSegmentState> UPDATES = List.of(
            RemoteLogSegmentState.COPY_SEGMENT_FINISHED,
            RemoteLogSegmentState.DELETE_SEGMENT_STARTED,
            RemoteLogSegmentState.DELETE_SEGMENT_FINISHED);

    private final Random random;
    private final MemoryBrokers brokers;
    private final List<TopicIdPartition> partitions = new ArrayList<>();
    private final Map<TopicIdPartition, List<RemoteLogSegmentMetadata>> segments = new HashMap<>();
    private long clock = 1_000_000;
    private boolean repeatsAdds = true;

    public RandomHistory(long seed, MemoryBrokers brokers, int topics, int partitionsPerTopic) {
        this.random = new Random(seed);
        this.brokers = brokers;
        for (int topic = 0; topic < topics; topic++) {
            Uuid id = new Uuid(random.nextLong(), random.nextLong());
            for (int partition = 0; partition < partitionsPerTopic; partition++) {
                partitions.add(new TopicIdPartition(id, new TopicPartition("topic-" + topic + "-ü", partition)));
            }
        }
    }

    /** From now on no segment is added twice, which sets it back to its beginning; no broker does so. */
    public RandomHistory withoutRepeatedAdds() {
        repeatsAdds = false;
        return this;
    }

    public List<TopicIdPartition> partitions() {
        return partitions;
    }

    public void write(int events) {
        for (int i = 0; i < events; i++) {
            TopicIdPartition partition = partitions.get(random.nextInt(partitions.size()));
            List<RemoteLogSegmentMetadata> known = segments.computeIfAbsent(partition, unused -> new ArrayList<>());
            int choice = random.nextInt(100);
            if (choice < 30 || known.isEmpty()) {
                RemoteLogSegmentMetadata added = segment(partition, known.size());
                known.add(added);
                brokers.write(added);
            } else if (choice < 33 && repeatsAdds) {
                brokers.write(any(known));
            } else if (choice < 63) {
                update(any(known), RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
            } else if (choice < 78) {
                update(any(known), RemoteLogSegmentState.DELETE_SEGMENT_STARTED);
            } else if (choice < 93) {
                update(any(known), RemoteLogSegmentState.DELETE_SEGMENT_FINISHED);
            } else if (choice < 97) {
                update(segment(partition, known.size()), UPDATES.get(random.nextInt(UPDATES.size())));
            } else if (choice < 98) {
                brokers.write(random.nextInt(3), null);
            } else {
                RemoteLogSegmentMetadata repeated = any(known);
                RemoteLogSegmentMetadataUpdate update = update(repeated, RemoteLogSegmentState.COPY_SEGMENT_FINISHED);
                brokers.write(update);
            }
        }
    }

    private RemoteLogSegmentMetadata any(List<RemoteLogSegmentMetadata> known) {
        // The recent ones more often, so that many segments go through their whole life.
        int back = (int) Math.min(known.size() - 1, Math.abs(random.nextGaussian()) * 5);
        return known.get(known.size() - 1 - back);
    }

    private RemoteLogSegmentMetadata segment(TopicIdPartition partition, int number) {
        long start = Math.max(0, number * 10L - random.nextInt(15));
        long end = start + random.nextInt(25);
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        int epoch = number / 8;
        epochs.put(epoch, start);
        long at = start;
        while (random.nextInt(4) == 0 && at < end) {
            at = random.nextInt(3) == 0 ? at : at + 1 + random.nextLong(end - at);
            epochs.put(++epoch, at);
        }
        return new RemoteLogSegmentMetadata(
                new RemoteLogSegmentId(partition, new Uuid(random.nextLong(), random.nextLong())),
                start,
                end,
                clock,
                random.nextInt(3),
                clock++,
                1 + random.nextInt(1000),
                custom(),
                RemoteLogSegmentState.COPY_SEGMENT_STARTED,
                epochs,
                random.nextBoolean());
    }

    private RemoteLogSegmentMetadataUpdate update(RemoteLogSegmentMetadata segment, RemoteLogSegmentState state) {
        RemoteLogSegmentMetadataUpdate update = new RemoteLogSegmentMetadataUpdate(
                segment.remoteLogSegmentId(), clock++, custom(), state, random.nextInt(3));
        brokers.write(update);
        return update;
    }

    private Optional<CustomMetadata> custom() {
        if (random.nextInt(3) > 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return Optional.of(new CustomMetadata(bytes));
    }
}
