package dev.shelfmark.tool.audit;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.SegmentFilter;
import dev.shelfmark.tool.audit.walk.SegmentTotals;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code shelfmark topics}: what each topic has in the remote storage. */
@Command(
        name = "topics",
        description = {
            "Shows for each topic how many segments and bytes it has in the remote storage, in which states, of which time, and how"
                    + " much it grew. A name that was used again shows once for each topic id.",
            "Needs an auditor's rights; asks no broker."
        },
        footer = {
            "",
            "Example: what do the payment topics cost?",
            "  shelfmark topics --config auditor.properties --topic 'payments*'"
        })
final class TopicsCommand extends AuditCommand {

    @Mixin
    private final SegmentOptions segments = new SegmentOptions();

    @Mixin
    private final GrowthOption growth = new GrowthOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    TopicsCommand(ToolContext surroundings) {
        super(surroundings);
    }

    private record TopicKey(String clusterId, UUID topicId) {}

    private static final class Topic {
        String name = "";
        long partitions;
        final SegmentTotals totals;

        Topic(Instant grownSince) {
            totals = new SegmentTotals(grownSince);
        }
    }

    @Override
    int run(CatalogueListing listing) {
        SegmentFilter filter = segments.filter();
        Instant grownSince = growth.since(surroundings.clock());
        Map<TopicKey, Topic> topics = new LinkedHashMap<>();
        CatalogueWalk walk = walk(listing);
        walk.partitions(
                partition -> {
                    Topic topic = topics.computeIfAbsent(
                            new TopicKey(
                                    partition.key().clusterId(), partition.key().topicId()),
                            unused -> new Topic(grownSince));
                    topic.name = partition.topicName();
                    topic.partitions++;
                    sum(walk, partition, filter, topic.totals);
                },
                this::unreadable);
        endProgress();
        try (RowWriter rows = new RowWriter(
                output.format(),
                out(),
                "cluster",
                "topic",
                "topicId",
                "partitions",
                "segments",
                "bytes",
                "copyStarted",
                "copyFinished",
                "deleteStarted",
                "deleteFinished",
                "oldest",
                "newest",
                "grownSegments",
                "grownBytes")) {
            topics.forEach((key, topic) -> rows.row(
                    key.clusterId(),
                    topic.name,
                    TextualId.of(key.topicId()),
                    topic.partitions,
                    topic.totals.segments(),
                    topic.totals.bytes(),
                    topic.totals.in(SegmentState.COPY_SEGMENT_STARTED),
                    topic.totals.in(SegmentState.COPY_SEGMENT_FINISHED),
                    topic.totals.in(SegmentState.DELETE_SEGMENT_STARTED),
                    topic.totals.in(SegmentState.DELETE_SEGMENT_FINISHED),
                    topic.totals.oldest(),
                    topic.totals.newest(),
                    topic.totals.grownSegments(),
                    topic.totals.grownBytes()));
            rows.complete();
        }
        return ExitCode.OK.code();
    }

    /** Adds what a partition holds; a segment that can't be read is told of by {@code check}. */
    static void sum(CatalogueWalk walk, PartitionSummary partition, SegmentFilter filter, SegmentTotals totals) {
        for (Kept kept : filter.kept()) {
            walk.segments(
                    partition.key(),
                    kept,
                    segment -> {
                        if (filter.passes(segment)) {
                            totals.add(segment);
                        }
                    },
                    unused -> {});
        }
    }
}
