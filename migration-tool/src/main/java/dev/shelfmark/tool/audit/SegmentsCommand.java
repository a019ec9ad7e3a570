package dev.shelfmark.tool.audit;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.SegmentFilter;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.storage.naming.ObjectLayout;
import dev.shelfmark.tool.storage.naming.ObjectOptions;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark segments}: every field of every segment. */
@Command(
        name = "segments",
        description = {
            "Shows segments with every field, Kafka's own textual ids, the offsets of each leader epoch, and the keys of their objects"
                    + " in the remote storage.",
            "Needs an auditor's rights; asks no broker."
        },
        footer = {
            "",
            "Example: which deletions of orders-7 have begun, but not ended?",
            "  shelfmark segments --config auditor.properties --topic orders --partition 7 \\",
            "      --state delete_segment_started",
            "Example: which objects hold nothing but records older than 90 days?",
            "  shelfmark segments --config auditor.properties --older-than 90d --output csv"
        })
final class SegmentsCommand extends AuditCommand {

    @Mixin
    private final SegmentOptions segments = new SegmentOptions();

    @Mixin
    private final ObjectOptions objects = new ObjectOptions();

    @Mixin
    private final OutputOption output = new OutputOption();

    @Option(
            names = "--show-custom-metadata",
            description =
                    "Show the RemoteStorageManager's own bytes, in base64, instead of how many they are. They may name"
                            + " or hold keys.")
    private boolean showCustomMetadata;

    SegmentsCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        SegmentFilter filter = segments.filter();
        Optional<ObjectLayout> layout = objects.named();
        CatalogueWalk walk = walk(listing);
        try (RowWriter rows = new RowWriter(
                output.format(),
                out(),
                "cluster",
                "topic",
                "topicId",
                "partition",
                "segmentId",
                "startOffset",
                "endOffset",
                "state",
                "sizeInBytes",
                "maxTimestamp",
                "leaderEpochs",
                "txnIndexEmpty",
                "customMetadata",
                "brokerId",
                "changedAt",
                "version",
                "finishedVersion",
                "objectKeys")) {
            walk.partitions(
                    partition -> {
                        for (Kept kept : filter.kept()) {
                            walk.segments(
                                    partition.key(),
                                    kept,
                                    segment -> {
                                        if (filter.passes(segment)) {
                                            print(rows, partition, segment, layout);
                                        }
                                    },
                                    row -> warn(partition, row.id(), row.reason()));
                        }
                    },
                    this::unreadable);
            endProgress();
            rows.complete();
        }
        return ExitCode.OK.code();
    }

    private void warn(PartitionSummary partition, String segmentId, String reason) {
        endProgress();
        err().println("warning: segment " + segmentId + " of " + partition.key() + " can't be read: " + reason);
    }

    private void print(
            RowWriter rows, PartitionSummary partition, SegmentRecord segment, Optional<ObjectLayout> layout) {
        rows.row(
                partition.key().clusterId(),
                partition.topicName(),
                TextualId.of(partition.key().topicId()),
                partition.key().partition(),
                TextualId.of(segment.segmentId()),
                segment.startOffset(),
                segment.endOffset(),
                segment.state(),
                segment.sizeInBytes(),
                segment.maxTimestampMs() < 0 ? null : Instant.ofEpochMilli(segment.maxTimestampMs()),
                EpochRanges.text(segment),
                segment.txnIndexEmpty(),
                customMetadata(segment.customMetadata()),
                segment.brokerId(),
                Instant.ofEpochMilli(segment.eventTimestampMs()),
                segment.version(),
                segment.finishedVersion(),
                objects.keys(layout, partition, segment));
    }

    private @Nullable String customMetadata(@Nullable CustomMetadata metadata) {
        if (metadata == null) {
            return null;
        }
        return showCustomMetadata ? Base64.getEncoder().encodeToString(metadata.bytes()) : metadata.size() + " bytes";
    }
}
