package dev.shelfmark.compat.model;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;

/** Makes sequences from a seed: the same seed, the same sequence, for ever. */
final class SequenceGenerator {

    private static final List<RemoteLogSegmentState> TARGETS = List.of(
            RemoteLogSegmentState.COPY_SEGMENT_FINISHED,
            RemoteLogSegmentState.DELETE_SEGMENT_STARTED,
            RemoteLogSegmentState.DELETE_SEGMENT_FINISHED);

    private final Random random;
    private final Features features;
    private final boolean lineage;
    private final NavigableMap<Integer, Long> history = new TreeMap<>();
    private final List<SegmentSpec> added = new ArrayList<>();

    /**
     * What a sequence may hold beside reports.
     *
     * @param restarts leaders that are restarted
     * @param zombies reports by the broker that does not lead
     */
    record Features(boolean restarts, boolean zombies) {}

    private SequenceGenerator(long seed, Features features) {
        this.random = new Random(seed);
        this.features = features;
        this.lineage = random.nextBoolean();
        long start = 0;
        for (int epoch = random.nextInt(3); history.size() < 5; epoch += 1 + random.nextInt(2)) {
            history.put(epoch, start);
            // Epochs without a record happen: a leader that was elected and lost before it was written to.
            start += random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20);
        }
    }

    static List<Operation> sequence(long seed, Features features) {
        SequenceGenerator generator = new SequenceGenerator(seed, features);
        List<Operation> operations = new ArrayList<>();
        int length = 10 + generator.random.nextInt(35);
        while (operations.size() < length) {
            generator.next(operations);
        }
        return operations;
    }

    private void next(List<Operation> operations) {
        int dice = random.nextInt(100);
        if (added.isEmpty() || dice < 28) {
            add(operations);
        } else if (dice < 32) {
            repeatAdd(operations);
        } else if (dice < 82) {
            operations.add(update(any().number(), likelyTarget()));
        } else if (dice < 86) {
            Operation last = operations.get(operations.size() - 1);
            operations.add(last);
        } else if (dice < 88) {
            operations.add(update(1_000 + random.nextInt(3), likelyTarget()));
        } else if (dice < 92) {
            operations.add(new Operation.EvictFromLeader());
        } else if (dice < 97 || !features.restarts()) {
            operations.add(new Operation.MoveLeadership());
        } else {
            operations.add(new Operation.RestartLeader());
        }
    }

    private SegmentSpec any() {
        return added.get(random.nextInt(added.size()));
    }

    private boolean zombie() {
        return features.zombies() && random.nextInt(6) == 0;
    }

    private Operation update(int number, RemoteLogSegmentState target) {
        return new Operation.Update(number, target, random.nextInt(4), random.nextInt(4), zombie());
    }

    private RemoteLogSegmentState likelyTarget() {
        int dice = random.nextInt(10);
        return TARGETS.get(dice < 5 ? 0 : dice < 8 ? 1 : 2);
    }

    private void add(List<Operation> operations) {
        SegmentSpec segment = segment(added.size());
        added.add(segment);
        operations.add(new Operation.Add(segment, zombie()));
        if (random.nextInt(3) == 0) {
            operations.add(update(segment.number(), RemoteLogSegmentState.COPY_SEGMENT_FINISHED));
        }
    }

    private void repeatAdd(List<Operation> operations) {
        SegmentSpec old = any();
        boolean otherEpochs = random.nextInt(3) == 0;
        SegmentSpec repeat = otherEpochs
                ? segment(old.number())
                : new SegmentSpec(
                        old.number(),
                        old.start(),
                        old.end(),
                        old.epochs(),
                        random.nextBoolean(),
                        random.nextInt(50),
                        random.nextInt(4));
        operations.add(new Operation.Add(repeat, zombie()));
    }

    private SegmentSpec segment(int number) {
        long start;
        long end;
        if (!added.isEmpty() && random.nextInt(3) == 0) {
            // Where another begins or ends: superseding uploads, duplicates, neighbours.
            SegmentSpec other = any();
            start = random.nextBoolean() ? other.start() : other.end() + 1;
            end = start + (random.nextBoolean() ? other.end() - other.start() : random.nextInt(30));
        } else {
            start = random.nextInt(50);
            end = start + random.nextInt(30);
        }
        return new SegmentSpec(
                number,
                start,
                end,
                lineage ? slice(start, end) : wild(start, end),
                random.nextInt(3) > 0,
                random.nextInt(50),
                random.nextInt(4));
    }

    /** As a broker cuts a segment's epochs from its log's history. */
    private NavigableMap<Integer, Long> slice(long start, long end) {
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        int first = history.firstKey();
        for (var entry : history.entrySet()) {
            if (entry.getValue() <= start) {
                first = entry.getKey();
            } else if (entry.getValue() <= end) {
                epochs.put(entry.getKey(), entry.getValue());
            }
        }
        epochs.put(first, start);
        return epochs;
    }

    /** Whatever the records allow: other lineages, empty epochs anywhere. */
    private NavigableMap<Integer, Long> wild(long start, long end) {
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        long from = start;
        int epoch = random.nextInt(4);
        do {
            epochs.put(epoch, from);
            epoch += 1 + random.nextInt(2);
            from += random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(10);
        } while (from <= end + 1 && random.nextInt(3) > 0);
        return epochs;
    }
}
