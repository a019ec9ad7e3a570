package dev.shelfmark.tool.storage;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An object in the remote storage.
 *
 * @param key its whole key
 * @param size in bytes
 * @param lastModified when it was written, by the storage's clock, or null when the listing does not tell
 */
public record StoredObject(String key, long size, @Nullable Instant lastModified) {}
