package dev.shelfmark.tool.audit.orphans;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An object that no segment needs, or a segment that lacks objects.
 *
 * @param kind what is wrong
 * @param clusterId the segment's cluster, or null when the catalogue does not know the segment
 * @param topic its topic's name, or null
 * @param partition its partition, or null
 * @param segmentId its textual id
 * @param key the object, or null when it is about a segment that lacks some
 * @param size bytes of the object, or of the segment that lacks some
 * @param lastModified when the object was written, or null
 * @param detail the facts, without a full stop
 */
public record Orphan(
        OrphanKind kind,
        @Nullable String clusterId,
        @Nullable String topic,
        @Nullable Integer partition,
        String segmentId,
        @Nullable String key,
        long size,
        @Nullable Instant lastModified,
        String detail) {}
