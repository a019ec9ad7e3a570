package dev.shelfmark.tool.storage;

import dev.shelfmark.tool.failure.ToolFailure;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A bucket of S3, or of what speaks its API, with the SDK's own search for credentials. Each request ends within a minute, its repeats
 * included; to list takes {@code s3:ListBucket}, to delete {@code s3:GetObject} and {@code s3:DeleteObject}.
 */
public final class S3Bucket implements ObjectListing, AutoCloseable {

    private static final Set<String> WEB = Set.of("http", "https");
    private static final Duration CALL_LIMIT = Duration.ofMinutes(1);
    private static final Duration ATTEMPT_LIMIT = Duration.ofSeconds(20);
    /** More requests than this are never in flight at once; the SDK's own bound is lower than what an operator may ask for. */
    public static final int MOST_CONNECTIONS = 256;

    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;

    private final S3Client client;
    private final String bucket;
    private final String prefix;

    /**
     * A bucket; nothing is connected yet.
     *
     * @param prefix only objects whose keys begin with it
     * @param region where it is, or null for what the environment says
     * @param endpoint of a storage that is not Amazon's, or null
     */
    public S3Bucket(String bucket, String prefix, @Nullable String region, @Nullable URI endpoint) {
        this.bucket = bucket;
        this.prefix = prefix;
        if (endpoint != null && (endpoint.getHost() == null || !WEB.contains(String.valueOf(endpoint.getScheme())))) {
            throw ToolFailure.usage("--s3-endpoint '" + endpoint
                    + "' is not a URL such as https://s3.example.com or http://localhost:9000");
        }
        try {
            S3ClientBuilder builder = S3Client.builder()
                    .httpClientBuilder(Apache5HttpClient.builder().maxConnections(MOST_CONNECTIONS))
                    .overrideConfiguration(
                            limits -> limits.apiCallTimeout(CALL_LIMIT).apiCallAttemptTimeout(ATTEMPT_LIMIT));
            if (region != null) {
                builder.region(Region.of(region));
            }
            if (endpoint != null) {
                builder.endpointOverride(endpoint).forcePathStyle(true);
            }
            this.client = builder.build();
        } catch (SdkException e) {
            String hint = region == null ? "; does the environment say in which region it is? Give --s3-region" : "";
            throw ToolFailure.usage("no client for bucket " + bucket + ": " + e.getMessage() + hint, e);
        }
    }

    @Override
    public void forEach(Consumer<StoredObject> objects) {
        String next = null;
        do {
            ListObjectsV2Response page = list(next);
            page.contents()
                    .forEach(object ->
                            objects.accept(new StoredObject(object.key(), object.size(), object.lastModified())));
            next = page.nextContinuationToken();
        } while (next != null);
    }

    private ListObjectsV2Response list(@Nullable String from) {
        try {
            return client.listObjectsV2(
                    request -> request.bucket(bucket).prefix(prefix).continuationToken(from));
        } catch (SdkException e) {
            throw failure("list", e);
        }
    }

    /** The object of a key as it is now; empty when there is none. */
    public Optional<StoredObject> find(String key) {
        try {
            HeadObjectResponse head =
                    client.headObject(request -> request.bucket(bucket).key(key));
            return Optional.of(new StoredObject(key, head.contentLength(), head.lastModified()));
        } catch (NoSuchKeyException e) {
            return Optional.empty();
        } catch (S3Exception e) {
            if (e.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw failure("look at " + key, e);
        } catch (SdkException e) {
            throw failure("look at " + key, e);
        }
    }

    /**
     * Opens the object of a key. Whoever has read it to its end, or closes it, gives its connection back.
     *
     * @throws NoSuchFileException when there is none
     */
    public InputStream open(String key) throws NoSuchFileException {
        try {
            return client.getObject(request -> request.bucket(bucket).key(key));
        } catch (NoSuchKeyException e) {
            throw new NoSuchFileException(key);
        } catch (SdkException e) {
            throw failure("read " + key, e);
        }
    }

    /** Deletes the object of a key; one that is not there is no failure. */
    public void delete(String key) {
        try {
            client.deleteObject(request -> request.bucket(bucket).key(key));
        } catch (SdkException e) {
            throw failure("delete " + key, e);
        }
    }

    private ToolFailure failure(String action, SdkException e) {
        boolean denied = e instanceof S3Exception answer && answer.statusCode() == FORBIDDEN;
        String hint = denied
                ? "; the login needs s3:ListBucket, to read or delete objects s3:GetObject, and to delete them s3:DeleteObject"
                : "; check --s3-bucket, --s3-region and --s3-endpoint, and that the storage can be reached";
        return ToolFailure.storage("can't " + action + " in bucket " + bucket + ": " + e.getMessage() + hint, e);
    }

    @Override
    public void close() {
        client.close();
    }
}
