package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.CustomMetadata;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.jspecify.annotations.Nullable;

/** The fields of custom metadata that Aiven's RemoteStorageManager can be told to keep with each segment, in the order of their tags. */
enum AivenCustomMetadata {
    REMOTE_SIZE(0),
    OBJECT_PREFIX(1),
    OBJECT_KEY(2);

    private static final TaggedFields FIELDS = TaggedFields.of(
            REMOTE_SIZE.tag,
            new Field("remote_size", Type.VARLONG),
            OBJECT_PREFIX.tag,
            new Field("object_prefix", Type.COMPACT_STRING),
            OBJECT_KEY.tag,
            new Field("object_key", Type.COMPACT_STRING));

    private final int tag;

    AivenCustomMetadata(int tag) {
        this.tag = tag;
    }

    /** @throws IllegalArgumentException when there is no such field */
    static AivenCustomMetadata of(String name) {
        try {
            return valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not one of " + Arrays.toString(values()).replaceAll("[\\[\\]]", ""), e);
        }
    }

    /**
     * The bytes that the plugin returned when the segment was uploaded; null when it was told to keep nothing.
     *
     * @param remoteSize the bytes of its three objects together
     * @param mainPath the common part of its keys, without prefix and suffix
     */
    static @Nullable CustomMetadata encode(
            Set<AivenCustomMetadata> kept, long remoteSize, String prefix, String mainPath) {
        if (kept.isEmpty()) {
            return null;
        }
        NavigableMap<Integer, Object> values = new TreeMap<>();
        for (AivenCustomMetadata field : kept) {
            values.put(
                    field.tag,
                    switch (field) {
                        case REMOTE_SIZE -> (Object) remoteSize;
                        case OBJECT_PREFIX -> prefix;
                        case OBJECT_KEY -> mainPath;
                    });
        }
        ByteBuffer buffer = ByteBuffer.allocate(FIELDS.sizeOf(values));
        FIELDS.write(buffer, values);
        return CustomMetadata.of(buffer.array());
    }
}
