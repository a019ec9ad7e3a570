package dev.shelfmark.tool.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** A bucket of S3, or of what speaks its API. */
public final class BucketSource implements ObjectSource {

    private final S3Bucket bucket;

    /** Closes the bucket with itself. */
    public BucketSource(S3Bucket bucket) {
        this.bucket = bucket;
    }

    @Override
    public void forEach(Consumer<StoredObject> objects) {
        bucket.forEach(objects);
    }

    @Override
    public InputStream open(String key) throws IOException {
        return bucket.open(key);
    }

    @Override
    public void close() {
        bucket.close();
    }
}
