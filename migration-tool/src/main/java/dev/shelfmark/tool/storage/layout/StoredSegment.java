package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.tool.storage.StoredObject;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one segment.
 *
 * @param name the segment
 * @param files its objects, by the files that they are
 */
public record StoredSegment(SegmentName name, Map<String, StoredObject> files) {

    public StoredSegment {
        files = Map.copyOf(files);
    }

    /**
     * The object of a file that is there.
     *
     * @throws IllegalArgumentException when it is not
     */
    public StoredObject object(String file) {
        StoredObject object = files.get(file);
        if (object == null) {
            throw new IllegalArgumentException(name + " has no " + file);
        }
        return object;
    }

    /** When the last of its objects was written, by the storage's clock, or null when the listing does not tell. */
    public @Nullable Instant lastModified() {
        Instant last = null;
        for (StoredObject object : files.values()) {
            Instant modified = object.lastModified();
            if (modified != null && (last == null || modified.isAfter(last))) {
                last = modified;
            }
        }
        return last;
    }

    /** The bytes of all its objects. */
    public long size() {
        return files.values().stream().mapToLong(StoredObject::size).sum();
    }
}
