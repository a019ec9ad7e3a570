package dev.shelfmark.tool.audit.lookup;

import dev.shelfmark.catalogue.CatalogueException;
import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A lookup with its reasons. Which segment is the answer is decided by the catalogue alone; this only says what the others lack.
 *
 * @param candidates every live segment that holds the offset in any epoch, the answers first
 * @param why the outcome in a sentence
 */
public record OffsetLookup(List<Candidate> candidates, String why) {

    private static final int MAX_LOOKS = 5;

    public OffsetLookup {
        candidates = List.copyOf(candidates);
    }

    /**
     * A segment that was considered.
     *
     * @param segment the segment
     * @param answer whether a broker would use it
     * @param why the reason
     */
    public record Candidate(SegmentRecord segment, boolean answer, String why) {}

    /** Whether any segment is the answer. */
    public boolean answered() {
        return candidates.stream().anyMatch(Candidate::answer);
    }

    /**
     * Asks as a broker does.
     *
     * @param epoch the epoch that the offset is of, or null for each that a candidate has
     */
    public static OffsetLookup ofOffset(
            CatalogueStore store, PartitionSummary partition, long offset, @Nullable Integer epoch) {
        SegmentCatalogue catalogue =
                new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, unused -> {
                    throw new RejectedExecutionException("nothing is read ahead");
                });
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            Map<UUID, SegmentRecord> holding = new LinkedHashMap<>();
            PartitionHead head = store.read(
                    partition.key(),
                    new Selection.Holding(offset),
                    segment -> holding.put(segment.segmentId(), segment));
            if (head.deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED) {
                return deleted(partition);
            }
            Map<UUID, Integer> answers = answers(catalogue, partition, offset, epoch, holding);
            // Both were read at one version: nothing was changed in between.
            if (store.read(partition.key(), new Selection.HeadOnly(), unused -> {})
                            .version()
                    == head.version()) {
                return explained(partition, offset, epoch, head, List.copyOf(holding.values()), answers);
            }
        }
        throw ToolFailure.refused(partition.key() + " changes all the time; try again");
    }

    private static OffsetLookup deleted(PartitionSummary partition) {
        return new OffsetLookup(
                List.of(), "the deletion of " + partition.key() + " is finished: brokers get no answer");
    }

    private static Map<UUID, Integer> answers(
            SegmentCatalogue catalogue,
            PartitionSummary partition,
            long offset,
            @Nullable Integer epoch,
            Map<UUID, SegmentRecord> holding) {
        TreeSet<Integer> epochs = new TreeSet<>();
        if (epoch != null) {
            epochs.add(epoch);
        } else {
            for (SegmentRecord segment : holding.values()) {
                for (int i = 0; i < segment.leaderEpochs().size(); i++) {
                    epochs.add(segment.leaderEpochs().epoch(i));
                }
            }
        }
        Map<UUID, Integer> answers = new LinkedHashMap<>();
        for (int asked : epochs) {
            try {
                Optional<UUID> answer = catalogue.lookup(partition.key(), asked, offset, SegmentRecord::segmentId);
                answer.ifPresent(id -> answers.put(id, asked));
            } catch (CatalogueException e) {
                throw ToolFailure.refused(String.valueOf(e.getMessage()));
            }
        }
        return answers;
    }

    private static OffsetLookup explained(
            PartitionSummary partition,
            long offset,
            @Nullable Integer epoch,
            PartitionHead head,
            List<SegmentRecord> holding,
            Map<UUID, Integer> answers) {
        List<Candidate> candidates = new ArrayList<>();
        for (SegmentRecord segment : holding) {
            Integer answered = answers.get(segment.segmentId());
            candidates.add(
                    answered == null
                            ? new Candidate(segment, false, shortcoming(segment, offset, epoch))
                            : new Candidate(
                                    segment,
                                    true,
                                    "finished last of those that hold offset " + offset + " in epoch " + answered));
        }
        candidates.sort(Comparator.comparing(Candidate::answer, Comparator.reverseOrder())
                .thenComparing(candidate -> candidate.segment().finishedVersion(), Comparator.reverseOrder()));
        String where = "offset " + offset + (epoch == null ? "" : " of epoch " + epoch) + " of " + partition.topicName()
                + "-" + partition.key().partition() + " at version " + head.version();
        String why = answers.isEmpty()
                ? "no segment answers for " + where + ": "
                        + (holding.isEmpty() ? "none holds it" : holding.size() + " hold it, none may answer")
                        + highest(head, epoch)
                : where + " is answered by " + answers.size() + " of " + holding.size() + " segments that hold it";
        return new OffsetLookup(candidates, why);
    }

    private static String highest(PartitionHead head, @Nullable Integer epoch) {
        if (epoch == null) {
            return "";
        }
        Long highest = head.highestOffsets().get(epoch);
        return highest == null
                ? "; nothing of epoch " + epoch + " was ever uploaded"
                : "; the highest offset of epoch " + epoch + " ever uploaded is " + highest;
    }

    private static String shortcoming(SegmentRecord segment, long offset, @Nullable Integer epoch) {
        if (segment.state() != SegmentState.COPY_SEGMENT_FINISHED) {
            return "not readable: it is " + segment.state();
        }
        if (epoch == null) {
            return epochOf(segment, offset).isPresent()
                    ? "another that holds the offset in the same epoch was finished later"
                    : "none of its epochs holds the offset";
        }
        int position = segment.leaderEpochs().position(epoch);
        if (position < 0) {
            return "it has no epoch " + epoch;
        }
        LeaderEpochs epochs = segment.leaderEpochs();
        long start = epochs.startOffset(position);
        long end = epochs.endOffset(position, segment.endOffset());
        return offset < start || offset > end
                ? "its epoch " + epoch + " spans " + start + " to " + end + " only"
                : "another that holds the offset in epoch " + epoch + " was finished later";
    }

    private static OptionalInt epochOf(SegmentRecord segment, long offset) {
        LeaderEpochs epochs = segment.leaderEpochs();
        for (int i = 0; i < epochs.size(); i++) {
            if (epochs.holds(i, offset, segment.endOffset())) {
                return OptionalInt.of(epochs.epoch(i));
            }
        }
        return OptionalInt.empty();
    }

    /** The first finished segment, by lowest epoch and start offset, that has a record of this time or later at or after an offset. */
    public static OffsetLookup ofTimestamp(
            CatalogueWalk walk, PartitionSummary partition, long timestampMs, long offset) {
        if (partition.deletion() == PartitionDeletion.DELETE_PARTITION_FINISHED) {
            return deleted(partition);
        }
        TimestampLookup first = new TimestampLookup(timestampMs, offset);
        walk.segments(partition.key(), Kept.LIVE, first::consider, row -> {
            // Brokers answer nothing from such a partition.
            throw new StoreException.Corrupt(
                    "segment " + row.id() + " of " + partition.key() + " can't be read: " + row.reason(), null);
        });
        return first.lookup(partition);
    }
}
