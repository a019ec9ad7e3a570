package dev.shelfmark.tool.audit;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.lookup.OffsetLookup;
import dev.shelfmark.tool.audit.lookup.OffsetLookup.Candidate;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.naming.ObjectLayout;
import dev.shelfmark.tool.storage.naming.ObjectOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark lookup}: the segment that a broker would use, and why. */
@Command(
        name = "lookup",
        description = {
            "Shows which segment a broker would read an offset from, with every candidate and why it is or is not the one. The answer"
                    + " is the catalogue's own: it is asked as a broker asks it, at one version of the partition.",
            "Brokers ask for an offset of the leader epoch that their log has there; without --epoch each epoch that a candidate has is"
                    + " asked for. With --timestamp it is the first finished segment, by leader epoch and start offset, that has a record"
                    + " of that time or later.",
            "Exit code 1 when no segment answers. Needs an auditor's rights; asks no broker."
        },
        footer = {
            "",
            "Example: which object holds offset 84213 of orders-7?",
            "  shelfmark lookup --config auditor.properties --topic orders --partition 7 --offset 84213"
        })
final class LookupCommand extends AuditCommand {

    @Option(names = "--offset", paramLabel = "OFFSET", description = "The offset to look for, from 0.")
    private @Nullable Long offset;

    @Option(names = "--epoch", paramLabel = "EPOCH", description = "The leader epoch that the offset is of.")
    private @Nullable Integer epoch;

    @Option(
            names = "--timestamp",
            paramLabel = "WHEN",
            description =
                    "Instead of the segment of an offset, the one of the first record of this time or later, such as"
                            + " 2026-05-03T10:15:00Z; --offset is then the lowest offset to consider.")
    private @Nullable Instant timestamp;

    @Mixin
    private final ObjectOptions objects = new ObjectOptions();

    @Mixin
    private final OutputOption output = new OutputOption();

    LookupCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing listing) {
        if (offset == null && timestamp == null) {
            throw ToolFailure.usage("what to look for? Give --offset OFFSET or --timestamp WHEN");
        }
        if (offset != null && offset < 0) {
            throw ToolFailure.usage("--offset must be 0 or more");
        }
        if (epoch != null && epoch < 0) {
            throw ToolFailure.usage("--epoch must be 0 or more");
        }
        if (epoch != null && timestamp != null) {
            throw ToolFailure.usage("--epoch and --timestamp exclude each other");
        }
        CatalogueWalk walk = walk(listing);
        PartitionSummary partition = onePartition(walk);
        OffsetLookup lookup;
        if (timestamp != null) {
            lookup = OffsetLookup.ofTimestamp(walk, partition, timestamp.toEpochMilli(), offset == null ? 0 : offset);
        } else {
            try (CatalogueStore store = target().target(surroundings).store()) {
                lookup = OffsetLookup.ofOffset(store, partition, offset == null ? 0 : offset, epoch);
            }
        }
        endProgress();
        print(partition, lookup);
        err().println(lookup.why());
        return lookup.answered() ? ExitCode.OK.code() : ExitCode.REFUSED.code();
    }

    private PartitionSummary onePartition(CatalogueWalk walk) {
        List<PartitionSummary> partitions = new ArrayList<>();
        walk.partitions(
                partition -> {
                    if (partitions.size() < 2) {
                        partitions.add(partition);
                    }
                },
                this::unreadable);
        if (partitions.isEmpty()) {
            throw ToolFailure.refused("the catalogue holds no partition at all; 'shelfmark state' shows its clusters");
        }
        if (partitions.size() > 1) {
            throw ToolFailure.usage("which partition? More than one matches, such as "
                    + partitions.get(0).key() + " and "
                    + partitions.get(1).key() + ": give --topic (a name, or an id where a name was used again) and"
                    + " --partition");
        }
        return partitions.get(0);
    }

    private void print(PartitionSummary partition, OffsetLookup lookup) {
        Optional<ObjectLayout> layout = objects.named();
        try (RowWriter rows = new RowWriter(
                output.format(),
                out(),
                "answer",
                "segmentId",
                "startOffset",
                "endOffset",
                "state",
                "leaderEpochs",
                "finishedVersion",
                "maxTimestamp",
                "why",
                "objectKeys")) {
            for (Candidate candidate : lookup.candidates()) {
                rows.row(
                        candidate.answer(),
                        TextualId.of(candidate.segment().segmentId()),
                        candidate.segment().startOffset(),
                        candidate.segment().endOffset(),
                        candidate.segment().state(),
                        EpochRanges.text(candidate.segment()),
                        candidate.segment().finishedVersion(),
                        candidate.segment().maxTimestampMs() < 0
                                ? null
                                : Instant.ofEpochMilli(candidate.segment().maxTimestampMs()),
                        candidate.why(),
                        objects.keys(layout, partition, candidate.segment()));
            }
            rows.complete();
        }
    }
}
