package dev.shelfmark.tool.audit;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.SegmentFilter;
import dev.shelfmark.tool.audit.walk.SegmentTotals;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code shelfmark partitions}: what each partition has in the remote storage. */
@Command(
        name = "partitions",
        description = {
            "Shows for each partition how many segments and bytes it has in the remote storage, which offsets and times they span, in"
                    + " which states they are, and how much it grew.",
            "Needs an auditor's rights; asks no broker."
        },
        footer = {"", "Example:", "  shelfmark partitions --config auditor.properties --topic orders --output csv"})
final class PartitionsCommand extends AuditCommand {

    @Mixin
    private final SegmentOptions segments = new SegmentOptions();

    @Mixin
    private final GrowthOption growth = new GrowthOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    PartitionsCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        SegmentFilter filter = segments.filter();
        Instant grownSince = growth.since(surroundings.clock());
        CatalogueWalk walk = walk(listing);
        try (RowWriter rows = new RowWriter(
                output.format(),
                out(),
                "cluster",
                "topic",
                "topicId",
                "partition",
                "version",
                "segments",
                "bytes",
                "startOffset",
                "endOffset",
                "copyStarted",
                "copyFinished",
                "deleteStarted",
                "deleteFinished",
                "oldest",
                "newest",
                "grownSegments",
                "grownBytes",
                "deletion")) {
            walk.partitions(
                    partition -> {
                        SegmentTotals totals = new SegmentTotals(grownSince);
                        TopicsCommand.sum(walk, partition, filter, totals);
                        rows.row(
                                partition.key().clusterId(),
                                partition.topicName(),
                                TextualId.of(partition.key().topicId()),
                                partition.key().partition(),
                                partition.version(),
                                totals.segments(),
                                totals.bytes(),
                                totals.startOffset(),
                                totals.endOffset(),
                                totals.in(SegmentState.COPY_SEGMENT_STARTED),
                                totals.in(SegmentState.COPY_SEGMENT_FINISHED),
                                totals.in(SegmentState.DELETE_SEGMENT_STARTED),
                                totals.in(SegmentState.DELETE_SEGMENT_FINISHED),
                                totals.oldest(),
                                totals.newest(),
                                totals.grownSegments(),
                                totals.grownBytes(),
                                partition.deletion() == PartitionDeletion.NONE ? null : partition.deletion());
                    },
                    this::unreadable);
            endProgress();
            rows.complete();
        }
        return ExitCode.OK.code();
    }
}
