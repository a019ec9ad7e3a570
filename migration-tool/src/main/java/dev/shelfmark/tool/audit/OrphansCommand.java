package dev.shelfmark.tool.audit;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.audit.orphans.Orphan;
import dev.shelfmark.tool.audit.orphans.OrphanDeletion;
import dev.shelfmark.tool.audit.orphans.OrphanKind;
import dev.shelfmark.tool.audit.orphans.OrphanSearch;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.ObjectListing;
import dev.shelfmark.tool.storage.S3Bucket;
import dev.shelfmark.tool.storage.TextListing;
import dev.shelfmark.tool.storage.naming.ObjectOptions;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code shelfmark orphans}: the catalogue against the objects that are there. */
@Command(
        name = "orphans",
        description = {
            "Compares the objects of the remote storage with the catalogue: objects that no segment needs, segments without objects, and"
                    + " segments that lack some. What changed within --age is in flight. Objects are listed from an S3 bucket, or read"
                    + " from what 'aws s3 ls --recursive' or an S3 inventory wrote.",
            "Nothing is deleted, unless --delete names a file that an earlier run has written with --output csv: then the objects in it are"
                    + " looked at again, in the catalogue and in the bucket, and with --yes those are deleted that are still what the"
                    + " file says. Exit code 1 when something is found."
        },
        footer = {
            "",
            "Example: what leaks, then delete it",
            "  shelfmark orphans --config auditor.properties --s3-bucket tier --layout aiven \\",
            "      --output csv > leaks.csv",
            "  shelfmark orphans --config auditor.properties --s3-bucket tier --layout aiven \\",
            "      --delete leaks.csv",
            "  shelfmark orphans --config auditor.properties --s3-bucket tier --layout aiven \\",
            "      --delete leaks.csv --yes",
            "",
            "Example: from a listing",
            "  aws s3 ls --recursive s3://tier | shelfmark orphans --config auditor.properties \\",
            "      --layout aiven --listing -"
        })
final class OrphansCommand extends AuditCommand {

    static final String[] COLUMNS = {
        "kind", "cluster", "topic", "partition", "segmentId", "key", "size", "lastModified", "detail"
    };

    @Mixin
    private final ObjectOptions objects = new ObjectOptions();

    @Option(names = "--s3-bucket", paramLabel = "BUCKET", description = "List this bucket, below --prefix.")
    private @Nullable String bucket;

    @Option(
            names = "--s3-region",
            paramLabel = "REGION",
            description = "Where the bucket is; the default is what the AWS environment says.")
    private @Nullable String region;

    @Option(
            names = "--s3-endpoint",
            paramLabel = "URL",
            description = "Of a storage that speaks S3 and is not Amazon's. Credentials come from the AWS environment.")
    private @Nullable URI endpoint;

    @Option(
            names = "--listing",
            paramLabel = "FILE",
            description =
                    "Read the objects from FILE instead, or from the standard input when it is -: lines of 'aws s3 ls"
                            + " --recursive' (times are taken as of this machine's time zone), or an S3 inventory or other CSV.")
    private @Nullable String listing;

    @Option(
            names = "--listed-at",
            paramLabel = "WHEN",
            description = "When the listing was made; the default is the time of its newest object.")
    private @Nullable Instant listedAt;

    @Option(
            names = "--age",
            paramLabel = "AGE",
            defaultValue = "24h",
            description = "What changed within AGE before the listing is in flight. The default is ${DEFAULT-VALUE}.")
    private Duration age = Duration.ofDays(1);

    @Option(
            names = "--delete",
            paramLabel = "FILE",
            description =
                    "Instead of searching, tell which objects of FILE, written by an earlier run, could be deleted.")
    private @Nullable Path delete;

    @Option(names = "--yes", description = "With --delete: do delete them.")
    private boolean yes;

    @Option(
            names = "--unknown-topics",
            description =
                    "With --delete: count in objects of topics that the catalogue never knew, such as those that were deleted before"
                            + " it was introduced. They may be those of another cluster that uses the bucket.")
    private boolean unknownTopics;

    @Option(
            names = "--work-directory",
            paramLabel = "DIR",
            description = "Where temporary files are written, about 250 bytes for each object; the default is Java's.")
    private Path workDirectory = Path.of(System.getProperty("java.io.tmpdir", "."));

    @Mixin
    private final OutputOption output = new OutputOption();

    OrphansCommand(ToolContext surroundings) {
        super(surroundings);
    }

    @Override
    int run(CatalogueListing catalogue) {
        if (!filter().equals(PartitionFilter.ALL)) {
            throw ToolFailure.usage(
                    "an object may be anybody's, so orphans are searched in the whole catalogue: leave out --cluster,"
                            + " --topic and --partition, and choose among what is printed");
        }
        if (delete != null) {
            return delete(catalogue, delete);
        }
        if (yes) {
            throw ToolFailure.usage("--yes is for --delete: nothing is deleted that was not listed before");
        }
        if (unknownTopics) {
            throw ToolFailure.usage("--unknown-topics is for --delete: all objects are looked at in a search");
        }
        if ((bucket == null) == (listing == null)) {
            throw ToolFailure.usage("which objects? Give either --s3-bucket BUCKET or --listing FILE");
        }
        unfinished(catalogue)
                .ifPresent(cluster -> err().println("warning: cluster " + cluster.clusterId() + " is "
                        + cluster.state().name().toLowerCase(Locale.ROOT)
                        + ": the catalogue does not know all its segments, so some of what follows may be needed"));
        if (bucket != null) {
            try (S3Bucket s3 = new S3Bucket(bucket, objects.prefix(), region, endpoint)) {
                return search(
                        catalogue, s3, listedAt == null ? surroundings.clock().instant() : listedAt);
            }
        }
        try (Reader reader = open(String.valueOf(listing))) {
            return search(
                    catalogue, new TextListing(String.valueOf(listing), reader, ZoneId.systemDefault()), listedAt);
        } catch (IOException e) {
            throw ToolFailure.usage("can't read the listing " + listing + ": " + FileErrors.reason(e), e);
        }
    }

    private static Optional<ClusterRecord> unfinished(CatalogueListing catalogue) {
        return catalogue.clusters().stream()
                .filter(cluster -> cluster.state() != ClusterState.READY)
                .findFirst();
    }

    private static Reader open(String name) throws IOException {
        return name.equals("-")
                ? new InputStreamReader(System.in, StandardCharsets.UTF_8)
                : Files.newBufferedReader(Path.of(name));
    }

    private int search(CatalogueListing catalogue, ObjectListing listed, @Nullable Instant moment) {
        OrphanSearch search = new OrphanSearch(objects.layout(), age, workDirectory);
        CatalogueWalk walk = walk(catalogue);
        Map<OrphanKind, long[]> sums = new EnumMap<>(OrphanKind.class);
        try (RowWriter rows = new RowWriter(output.format(), out(), COLUMNS)) {
            search.run(listed, moment, walk, orphan -> {
                endProgress();
                long[] sum = sums.computeIfAbsent(orphan.kind(), unused -> new long[2]);
                sum[0]++;
                sum[1] += orphan.size();
                print(rows, orphan);
            });
            endProgress();
            if (rows.rows() == 0 && output.format() == OutputFormat.TABLE) {
                rows.abandon();
            }
            rows.complete();
        }
        sums.forEach((kind, sum) -> err().println(String.format(
                Locale.ROOT, "%,d x %s, %,d bytes: %s %s", sum[0], kind, sum[1], kind.meaning(), kind.advice())));
        if (search.foreignObjects() > 0) {
            err().println(String.format(
                    Locale.ROOT,
                    "note: %,d objects of %,d bytes are not named as segments' objects are, and were passed over",
                    search.foreignObjects(),
                    search.foreignBytes()));
        }
        err().println(String.format(
                Locale.ROOT,
                "%s%,d objects, %,d segments; %,d too young to judge",
                verdict(sums.isEmpty(), search.inFlight() > 0),
                search.objects(),
                walk.segments(),
                search.inFlight()));
        return sums.isEmpty() ? ExitCode.OK.code() : ExitCode.REFUSED.code();
    }

    private static String verdict(boolean nothingFound, boolean someTooYoung) {
        if (!nothingFound) {
            return "compared ";
        }
        return someTooYoung ? "nothing is orphaned among what could be judged: " : "nothing is orphaned: ";
    }

    private static void print(RowWriter rows, Orphan orphan) {
        rows.row(
                orphan.kind(),
                orphan.clusterId(),
                orphan.topic(),
                orphan.partition(),
                orphan.segmentId(),
                orphan.key(),
                orphan.size(),
                orphan.lastModified(),
                orphan.detail());
    }

    private int delete(CatalogueListing catalogue, Path file) {
        if (bucket == null) {
            throw ToolFailure.usage("delete from where? Give --s3-bucket BUCKET");
        }
        if (unfinished(catalogue).isPresent()) {
            throw ToolFailure.refused("cluster " + unfinished(catalogue).get().clusterId()
                    + " is not ready: the catalogue does not know all its segments, so nothing is deleted");
        }
        try (S3Bucket s3 = new S3Bucket(bucket, objects.prefix(), region, endpoint);
                RowWriter rows = new RowWriter(output.format(), out(), "key", "size", "outcome")) {
            OrphanDeletion deletion = new OrphanDeletion(s3, objects.layout(), yes, unknownTopics);
            deletion.run(file, walk(catalogue), (object, outcome) -> {
                endProgress();
                rows.row(object.key(), object.size(), outcome);
            });
            endProgress();
            err().println(String.format(
                    Locale.ROOT,
                    "%s %,d objects of %,d bytes; left %,d alone%s",
                    yes ? "deleted" : "would delete",
                    deletion.deletable(),
                    deletion.bytes(),
                    deletion.left(),
                    yes ? "" : "; --yes deletes them"));
            rows.complete();
        }
        return ExitCode.OK.code();
    }
}
