package dev.shelfmark.compat.model;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;

/**
 * Names the difference between an answer of Kafka's cache and ours, if it is a known one and what is said of it holds. Looks only at Kafka's
 * cache and the two answers, never at our rules.
 */
final class DifferenceJudge {

    private final KafkaOracle kafka;

    DifferenceJudge(KafkaOracle kafka) {
        this.kafka = kafka;
    }

    Optional<KnownDifference> lookup(
            int epoch,
            long offset,
            Optional<RemoteLogSegmentMetadata> theirs,
            Optional<RemoteLogSegmentMetadata> ours) {
        if (ours.isEmpty() || !real(ours.get()) || !Epochs.covers(ours.get(), epoch, offset)) {
            return Optional.empty();
        }
        if (theirs.isEmpty()) {
            return Optional.of(KnownDifference.READ_HOLE);
        }
        boolean bothRight = Epochs.finished(theirs.get()) && Epochs.covers(theirs.get(), epoch, offset);
        return bothRight && kafka.finishedLater(ours.get(), theirs.get())
                ? Optional.of(KnownDifference.LATER_FINISHED)
                : Optional.empty();
    }

    /** Whether it is a finished segment just as Kafka knows it. */
    private boolean real(RemoteLogSegmentMetadata segment) {
        return Epochs.finished(segment) && segment.equals(kafka.segments().get(segment.remoteLogSegmentId()));
    }

    Optional<KnownDifference> nextWithTxnIndex(
            int epoch,
            long offset,
            Optional<RemoteLogSegmentMetadata> theirs,
            Optional<RemoteLogSegmentMetadata> ours) {
        boolean right = ours.isPresent()
                && real(ours.get())
                && !ours.get().isTxnIdxEmpty()
                && Epochs.reaches(ours.get(), epoch, offset);
        if (!right) {
            return Optional.empty();
        }
        if (theirs.isEmpty()) {
            return Optional.of(KnownDifference.TXN_GAP_SKIPPED);
        }
        long ourStart = ours.get().startOffset();
        long theirStart = theirs.get().startOffset();
        boolean earlier =
                ourStart < theirStart || (ourStart == theirStart && kafka.finishedLater(ours.get(), theirs.get()));
        return earlier ? Optional.of(KnownDifference.TXN_EARLIER_OVERLAP) : Optional.empty();
    }

    /** The differences of two lists of an epoch; empty when one of them is not a known one. */
    Optional<Set<KnownDifference>> list(
            int epoch, Optional<List<RemoteLogSegmentMetadata>> theirs, List<RemoteLogSegmentMetadata> ours) {
        Set<RemoteLogSegmentMetadata> live = Set.copyOf(kafka.segments().values());
        if (!ours.stream().allMatch(segment -> live.contains(segment) && Epochs.has(segment, epoch))) {
            return Optional.empty();
        }
        if (theirs.isEmpty()) {
            return kafka.deletedOnceHad(epoch)
                    ? Optional.of(Set.of(KnownDifference.EPOCH_LIST_FAILS))
                    : Optional.empty();
        }
        Set<KnownDifference> differences = new HashSet<>();
        Set<RemoteLogSegmentMetadata> onlyTheirs = new HashSet<>(theirs.get());
        ours.forEach(onlyTheirs::remove);
        for (RemoteLogSegmentMetadata stale : onlyTheirs) {
            boolean explained = !Epochs.has(stale, epoch) && kafka.onceHad(stale.remoteLogSegmentId(), epoch);
            if (!explained) {
                return Optional.empty();
            }
            differences.add(KnownDifference.STALE_IN_EPOCH_LIST);
        }
        if (!Set.copyOf(theirs.get()).containsAll(ours)) {
            differences.add(KnownDifference.LOST_FROM_EPOCH_LIST);
        }
        return Optional.of(differences);
    }

    /** Whether sizes are the sums of the lists, so that they differ as the lists do. */
    static boolean sums(long size, List<RemoteLogSegmentMetadata> list) {
        return size
                == list.stream()
                        .mapToLong(RemoteLogSegmentMetadata::segmentSizeInBytes)
                        .sum();
    }
}
