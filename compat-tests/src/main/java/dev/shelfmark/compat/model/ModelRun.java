package dev.shelfmark.compat.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;

/** One replay of a sequence on a new partition: the subject, our rules and Kafka's cache side by side, compared after each step. */
final class ModelRun {

    private static final int UNKNOWN_EPOCH = 77;
    private static final long WRITE_SECONDS = 60;
    /** One in so many of the questions about offsets is asked where each answer may cost a look at the store. */
    private static final int SHARE_FROM_STORE = 23;

    private final ModelSubject subject;
    private final int leaderShare;
    private final Consumer<KnownDifference> differences;
    private final TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
    private final KafkaOracle kafka = new KafkaOracle();
    private final NaiveCatalogue rules = new NaiveCatalogue();
    private final DifferenceJudge judge = new DifferenceJudge(kafka);
    private final Set<Integer> epochs = new TreeSet<>(Set.of(UNKNOWN_EPOCH));
    private final Set<Long> offsets = new TreeSet<>();
    private int leader;
    private int step;

    /**
     * A replay to come.
     *
     * @param fromMemory whether the leader answers from memory, so that it may be asked everything
     */
    ModelRun(ModelSubject subject, boolean fromMemory, Consumer<KnownDifference> differences) {
        this.subject = subject;
        this.leaderShare = fromMemory ? 1 : SHARE_FROM_STORE / 4;
        this.differences = differences;
        lead(0);
    }

    /** The first difference that is none of the known ones. */
    Optional<Mismatch> replay(List<Operation> sequence) {
        for (step = 0; step < sequence.size(); step++) {
            Mismatch mismatch;
            try {
                mismatch = apply(sequence.get(step));
            } catch (RemoteStorageException e) {
                return Optional.of(new Mismatch(step, "the report itself", e, "a future", "a future"));
            }
            if (mismatch == null) {
                mismatch = compare(subject.broker(leader), leaderShare);
            }
            if (mismatch == null) {
                mismatch = compare(subject.broker(1 - leader), SHARE_FROM_STORE);
            }
            if (mismatch != null) {
                return Optional.of(mismatch);
            }
        }
        return Optional.empty();
    }

    private void lead(int broker) {
        leader = broker;
        subject.broker(1 - leader).onPartitionLeadershipChanges(Set.of(), Set.of(partition));
        subject.broker(leader).onPartitionLeadershipChanges(Set.of(partition), Set.of());
    }

    private @Nullable Mismatch apply(Operation operation) throws RemoteStorageException {
        if (operation instanceof Operation.Add add) {
            RemoteLogSegmentMetadata segment = add.segment().started(partition, step);
            know(add.segment());
            if (!kafka.add(segment)) {
                differences.accept(KnownDifference.RECREATED_AFTER_DELETE);
            }
            return compareWrites(
                    operation,
                    rules.addRemoteLogSegmentMetadata(segment),
                    writer(add.zombie()).addRemoteLogSegmentMetadata(segment));
        } else if (operation instanceof Operation.Update update) {
            kafka.update(update.update(partition));
            return compareWrites(
                    operation,
                    rules.updateRemoteLogSegmentMetadata(update.update(partition)),
                    writer(update.zombie()).updateRemoteLogSegmentMetadata(update.update(partition)));
        } else if (operation instanceof Operation.MoveLeadership) {
            lead(1 - leader);
        } else if (operation instanceof Operation.RestartLeader) {
            subject.restart(leader);
            lead(leader);
        } else if (operation instanceof Operation.EvictFromLeader) {
            subject.broker(leader).onStopPartitions(Set.of(partition));
            lead(leader);
        }
        return null;
    }

    private RemoteLogMetadataManager writer(boolean zombie) {
        return subject.broker(zombie ? 1 - leader : leader);
    }

    private void know(SegmentSpec segment) {
        epochs.addAll(segment.epochs().keySet());
        Set<Long> edges = new HashSet<>(segment.epochs().values());
        edges.add(segment.start());
        edges.add(segment.end());
        for (long edge : edges) {
            offsets.addAll(List.of(Math.max(0, edge - 1), edge, edge + 1));
        }
    }

    private @Nullable Mismatch compareWrites(
            Operation operation, CompletableFuture<Void> ruled, CompletableFuture<Void> ours) {
        String expected = outcome(ruled);
        String actual = outcome(ours);
        return expected.equals(actual)
                ? null
                : new Mismatch(step, "the outcome of " + operation, actual, expected, "always done");
    }

    private static String outcome(CompletableFuture<Void> future) {
        try {
            future.get(WRITE_SECONDS, TimeUnit.SECONDS);
            return "done";
        } catch (ExecutionException e) {
            return e.getCause() instanceof RemoteStorageException ? "refused" : "failed with " + e.getCause();
        } catch (TimeoutException e) {
            return "not done in " + WRITE_SECONDS + " s";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private @Nullable Mismatch compare(RemoteLogMetadataManager ours, int share) {
        String question = "";
        try {
            question = "list";
            List<RemoteLogSegmentMetadata> all = toList(ours.listRemoteLogSegments(partition));
            List<RemoteLogSegmentMetadata> ruled = toList(rules.listRemoteLogSegments(partition));
            Set<RemoteLogSegmentMetadata> theirs = Set.copyOf(kafka.segments().values());
            if (!all.equals(ruled) || !Set.copyOf(all).equals(theirs)) {
                return new Mismatch(step, question, all, ruled, theirs);
            }
            int count = step;
            for (int epoch : epochs) {
                question = "epoch " + epoch;
                Mismatch mismatch = compareEpoch(ours, epoch);
                if (mismatch != null) {
                    return mismatch;
                }
                for (long offset : offsets) {
                    if (count++ % share != 0) {
                        continue;
                    }
                    question = "epoch " + epoch + ", offset " + offset;
                    mismatch = compareOffset(ours, epoch, offset);
                    if (mismatch != null) {
                        return mismatch;
                    }
                }
            }
            return null;
        } catch (RemoteStorageException | RuntimeException e) {
            return new Mismatch(step, question, e, "an answer", "not asked");
        }
    }

    private static List<RemoteLogSegmentMetadata> toList(Iterator<RemoteLogSegmentMetadata> segments) {
        List<RemoteLogSegmentMetadata> list = new ArrayList<>();
        segments.forEachRemaining(list::add);
        return list;
    }

    private @Nullable Mismatch compareEpoch(RemoteLogMetadataManager manager, int epoch) throws RemoteStorageException {
        Optional<Long> highest = manager.highestOffsetForEpoch(partition, epoch);
        Optional<Long> ruledHighest = rules.highestOffsetForEpoch(partition, epoch);
        Optional<Long> theirHighest = kafka.highestOffset(epoch);
        if (!highest.equals(ruledHighest) || !highest.equals(theirHighest)) {
            return new Mismatch(step, "highest offset of epoch " + epoch, highest, ruledHighest, theirHighest);
        }
        List<RemoteLogSegmentMetadata> list = toList(manager.listRemoteLogSegments(partition, epoch));
        List<RemoteLogSegmentMetadata> ruled = toList(rules.listRemoteLogSegments(partition, epoch));
        Optional<List<RemoteLogSegmentMetadata>> theirs = kafka.list(epoch);
        Optional<Set<KnownDifference>> known = judge.list(epoch, theirs, list);
        if (!list.equals(ruled) || known.isEmpty()) {
            return new Mismatch(step, "list of epoch " + epoch, list, ruled, theirs);
        }
        known.get().forEach(differences);
        long size = manager.remoteLogSize(partition, epoch);
        if (!DifferenceJudge.sums(size, ruled)) {
            return new Mismatch(step, "size of epoch " + epoch, size, rules.remoteLogSize(partition, epoch), theirs);
        }
        if (theirs.isPresent() && !DifferenceJudge.sums(size, theirs.get())) {
            differences.accept(KnownDifference.SIZE_FOLLOWS_LIST);
        }
        return null;
    }

    private @Nullable Mismatch compareOffset(RemoteLogMetadataManager manager, int epoch, long offset)
            throws RemoteStorageException {
        String where = " in epoch " + epoch + " at " + offset;
        Optional<RemoteLogSegmentMetadata> found = manager.remoteLogSegmentMetadata(partition, epoch, offset);
        Optional<RemoteLogSegmentMetadata> ruled = rules.remoteLogSegmentMetadata(partition, epoch, offset);
        Optional<RemoteLogSegmentMetadata> theirs = kafka.lookup(epoch, offset);
        Optional<KnownDifference> known =
                found.equals(theirs) ? Optional.empty() : judge.lookup(epoch, offset, theirs, found);
        if (!found.equals(ruled) || (known.isEmpty() && !found.equals(theirs))) {
            return new Mismatch(step, "lookup" + where, found, ruled, theirs);
        }
        known.ifPresent(differences);
        Optional<RemoteLogSegmentMetadata> next = manager.nextSegmentWithTxnIndex(partition, epoch, offset);
        Optional<RemoteLogSegmentMetadata> ruledNext = rules.nextSegmentWithTxnIndex(partition, epoch, offset);
        Optional<RemoteLogSegmentMetadata> theirNext = kafka.nextWithTxnIndex(epoch, offset);
        known = next.equals(theirNext) ? Optional.empty() : judge.nextWithTxnIndex(epoch, offset, theirNext, next);
        if (!next.equals(ruledNext) || (known.isEmpty() && !next.equals(theirNext))) {
            return new Mismatch(step, "next with transaction index" + where, next, ruledNext, theirNext);
        }
        known.ifPresent(differences);
        return null;
    }
}
