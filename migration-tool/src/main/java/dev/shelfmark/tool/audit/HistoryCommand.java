package dev.shelfmark.tool.audit;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StateChange.OfPartition;
import dev.shelfmark.store.StateChange.OfSegment;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.HistoryFilter;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark history}: who changed which segment from what to what, and when. */
@Command(
        name = "history",
        description = {
            "Shows the changes of segments, and of partitions that are deleted, oldest first for each partition: when each was recorded"
                    + " by the store's clock and reported by the broker's, by which broker, and from which state to which.",
            "Brokers keep the history for rlmm.config.history.retention.ms; an import writes none. A version that is missing between"
                    + " two others is a change that was not kept. Offsets are shown while the store has the segment's record.",
            "Needs an auditor's rights; asks no broker."
        },
        footer = {
            "",
            "Example: what happened to orders-7 during the last six hours?",
            "  shelfmark history --config auditor.properties --topic orders --partition 7 \\",
            "      --since 6h"
        })
final class HistoryCommand extends AuditCommand {

    /** The records of so many changes' segments are read in one go. */
    private static final int TOGETHER = 500;

    @Option(
            names = "--segment",
            paramLabel = "ID",
            description = "Only changes of this segment: its id as Kafka's tools and 'shelfmark segments' print it.")
    private @Nullable String segment;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Only changes that were recorded, by the store's clock, at this moment or later: such as"
                    + " 2026-05-03T10:15:00Z, or 6h or 7d ago.")
    private @Nullable Instant since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Only changes that were recorded before this moment.")
    private @Nullable Instant until;

    @Mixin
    private final OutputOption output = new OutputOption();

    HistoryCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        HistoryFilter filter = new HistoryFilter(segmentId(), since, until);
        CatalogueWalk walk = walk(listing);
        try (CatalogueStore store = target().target(surroundings).store();
                RowWriter rows = new RowWriter(
                        output.format(),
                        out(),
                        "cluster",
                        "topic",
                        "topicId",
                        "partition",
                        "version",
                        "recordedAt",
                        "changedAt",
                        "brokerId",
                        "segmentId",
                        "startOffset",
                        "endOffset",
                        "from",
                        "to")) {
            walk.partitions(
                    partition -> {
                        List<RecordedChange> passed = new ArrayList<>();
                        walk.history(
                                partition.key(),
                                change -> {
                                    if (filter.passes(change)) {
                                        passed.add(change);
                                    }
                                    if (passed.size() == TOGETHER) {
                                        print(rows, partition, passed, store);
                                        passed.clear();
                                    }
                                },
                                row -> warn(partition, row.id(), row.reason()));
                        print(rows, partition, passed, store);
                    },
                    this::unreadable);
            endProgress();
            if (rows.rows() == 0) {
                err().println("no such change is kept; brokers keep them for rlmm.config.history.retention.ms, and an"
                        + " import writes none");
            }
            rows.complete();
        }
        return ExitCode.OK.code();
    }

    private @Nullable UUID segmentId() {
        try {
            return segment == null ? null : TextualId.parse(segment);
        } catch (IllegalArgumentException e) {
            throw ToolFailure.usage("--segment: " + e.getMessage(), e);
        }
    }

    private void warn(PartitionSummary partition, String version, String reason) {
        endProgress();
        err().println("warning: the change of version " + version + " of " + partition.key() + " can't be read: "
                + reason);
    }

    private static void print(
            RowWriter rows, PartitionSummary partition, List<RecordedChange> changes, CatalogueStore store) {
        Map<UUID, SegmentRecord> segments = segments(store, partition.key(), changes);
        for (RecordedChange recorded : changes) {
            StateChange change = recorded.change();
            UUID segmentId = change instanceof OfSegment ofSegment ? ofSegment.segmentId() : null;
            SegmentRecord segment = segmentId == null ? null : segments.get(segmentId);
            rows.row(
                    partition.key().clusterId(),
                    partition.topicName(),
                    TextualId.of(partition.key().topicId()),
                    partition.key().partition(),
                    change.version(),
                    recorded.recordedAt(),
                    change.eventTimestampMs() < 0 ? null : Instant.ofEpochMilli(change.eventTimestampMs()),
                    change.brokerId() < 0 ? null : change.brokerId(),
                    segmentId == null ? null : TextualId.of(segmentId),
                    segment == null ? null : segment.startOffset(),
                    segment == null ? null : segment.endOffset(),
                    from(change),
                    to(change));
        }
    }

    private static Map<UUID, SegmentRecord> segments(
            CatalogueStore store, PartitionKey key, List<RecordedChange> changes) {
        Set<UUID> ids = changes.stream()
                .map(RecordedChange::change)
                .filter(OfSegment.class::isInstance)
                .map(change -> ((OfSegment) change).segmentId())
                .collect(Collectors.toSet());
        Map<UUID, SegmentRecord> segments = new HashMap<>();
        if (!ids.isEmpty()) {
            store.read(key, new Selection.ById(ids), record -> segments.put(record.segmentId(), record));
        }
        return segments;
    }

    private static @Nullable Object from(StateChange change) {
        if (change instanceof OfPartition ofPartition) {
            return ofPartition.from() == PartitionDeletion.NONE ? null : ofPartition.from();
        }
        return ((OfSegment) change).from();
    }

    private static Object to(StateChange change) {
        return change instanceof OfPartition ofPartition ? ofPartition.to() : ((OfSegment) change).to();
    }
}
