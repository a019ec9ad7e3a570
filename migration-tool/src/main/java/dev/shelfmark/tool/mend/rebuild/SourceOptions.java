package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.BucketSource;
import dev.shelfmark.tool.storage.DirectorySource;
import dev.shelfmark.tool.storage.ListedSource;
import dev.shelfmark.tool.storage.ObjectSource;
import dev.shelfmark.tool.storage.S3Bucket;
import dev.shelfmark.tool.storage.TextListing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where the segments are. */
final class SourceOptions {

    @Option(
            names = {"--bucket", "--s3-bucket"},
            paramLabel = "BUCKET",
            description = "The bucket that holds the segments, of S3 or of a storage that speaks its API.")
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
            names = "--directory",
            paramLabel = "DIR",
            description = "The directory that holds the segments, such as a mounted share.")
    private @Nullable Path directory;

    @Option(
            names = "--listing",
            paramLabel = "FILE",
            description =
                    "A listing of the objects: lines of 'aws s3 ls --recursive' (times are taken as of this machine's time zone),"
                            + " or an S3 inventory or other CSV. Needs --objects.")
    private @Nullable Path listing;

    @Option(
            names = "--objects",
            paramLabel = "DIR",
            description = "With --listing: copies of the objects that are read, each at the path that is its key.")
    private @Nullable Path objects;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "Only objects whose keys begin with PREFIX, such as the RemoteStorageManager's key.prefix.")
    private String prefix = "";

    /** Opens what they name. */
    ObjectSource open() {
        if (Stream.of(bucket, directory, listing).filter(Objects::nonNull).count() != 1) {
            throw ToolFailure.usage(
                    "where are the segments? Give one of --bucket BUCKET, --directory DIR and --listing FILE");
        }
        if ((listing == null) != (objects == null)) {
            throw ToolFailure.usage("--listing FILE and --objects DIR are given together");
        }
        if (bucket != null) {
            return new BucketSource(new S3Bucket(bucket, prefix, region, endpoint));
        } else if (directory != null) {
            return new DirectorySource(directory, prefix);
        }
        Path file = Objects.requireNonNull(listing);
        try {
            return new ListedSource(
                    new TextListing(file.toString(), Files.newBufferedReader(file), ZoneId.systemDefault()),
                    Objects.requireNonNull(objects),
                    prefix);
        } catch (IOException e) {
            throw ToolFailure.usage("can't read the listing " + file + ": " + FileErrors.reason(e), e);
        }
    }
}
