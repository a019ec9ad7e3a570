package dev.shelfmark.tool.setup;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.DirectorySource;
import dev.shelfmark.tool.storage.ObjectListing;
import dev.shelfmark.tool.storage.S3Bucket;
import dev.shelfmark.tool.storage.StoredObject;
import dev.shelfmark.tool.storage.TextListing;
import dev.shelfmark.tool.storage.naming.ObjectLayout;
import dev.shelfmark.tool.storage.naming.ObjectLayout.ObjectName;
import dev.shelfmark.tool.storage.naming.ObjectOptions;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether the remote storage of a cluster that is said to be new still holds segments: in a bucket, a directory or a listing, if one is named. */
final class RemainingSegments {

    @Mixin
    private final ObjectOptions objects = new ObjectOptions();

    @Option(
            names = {"--bucket", "--s3-bucket"},
            paramLabel = "BUCKET",
            description = "Refuse if this bucket holds segments below --prefix, by --layout or by any that is known.")
    private @Nullable String bucket;

    @Option(
            names = "--s3-region",
            paramLabel = "REGION",
            description = "Where the bucket is; the default is what the AWS environment says.")
    private @Nullable String region;

    @Option(
            names = "--s3-endpoint",
            paramLabel = "URL",
            description = "Of a storage that speaks S3 and is not Amazon's.")
    private @Nullable URI endpoint;

    @Option(
            names = "--listing",
            paramLabel = "FILE",
            description =
                    "Refuse if this listing of the bucket holds segments: lines of 'aws s3 ls --recursive' or a CSV.")
    private @Nullable Path listing;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Refuse if this directory, such as a mounted share, holds segments.")
    private @Nullable Path directory;

    /** What is there, for people; empty when no storage was named or it holds no segment. */
    Optional<String> found() {
        Count count = new Count(objects.layoutOrAll(), objects.prefix());
        if (bucket != null) {
            try (S3Bucket s3 = new S3Bucket(bucket, objects.prefix(), region, endpoint)) {
                count.all(s3);
            }
        }
        if (listing != null) {
            try (Reader reader = Files.newBufferedReader(listing)) {
                count.all(new TextListing(listing.toString(), reader, ZoneId.systemDefault()));
            } catch (IOException e) {
                throw ToolFailure.usage("can't read the listing " + listing + ": " + FileErrors.reason(e), e);
            }
        }
        if (directory != null) {
            try (DirectorySource files = new DirectorySource(directory, objects.prefix())) {
                count.all(files);
            }
        }
        return count.found();
    }

    /** Topics and segments by their ids, which is what the check holds in memory. */
    private static final class Count {
        private final List<ObjectLayout> layouts;
        private final String prefix;
        private final Set<UUID> topics = new HashSet<>();
        private final Set<UUID> segments = new HashSet<>();
        private long bytes;

        Count(List<ObjectLayout> layouts, String prefix) {
            this.layouts = layouts;
            this.prefix = prefix;
        }

        void all(ObjectListing listed) {
            listed.forEach(this::add);
        }

        private void add(StoredObject object) {
            if (!object.key().startsWith(prefix)) {
                return;
            }
            for (ObjectLayout layout : layouts) {
                Optional<ObjectName> name = layout.parse(object.key());
                if (name.isPresent()) {
                    add(name.get(), object.size());
                    return;
                }
            }
        }

        private void add(ObjectName name, long size) {
            segments.add(name.segmentId());
            if (name.topicId() != null) {
                topics.add(name.topicId());
            }
            bytes += size;
        }

        Optional<String> found() {
            return segments.isEmpty()
                    ? Optional.empty()
                    : Optional.of("the remote storage holds " + segments.size() + " segments of " + topics.size()
                            + " topics, " + bytes + " bytes");
        }
    }
}
