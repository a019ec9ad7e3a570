package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.ObjectContents;
import dev.shelfmark.tool.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the quickstart's and the tests' RemoteStorageManager: {@code TOPICID/PARTITION/SEGMENTID/FILE}. The file {@code
 * custom-metadata} holds what it returned when the segment was uploaded. Keys tell neither the topic's name nor the start offset.
 */
public final class DirectoryLayout extends CheckpointLayout {

    private static final String CUSTOM_METADATA = "custom-metadata";
    private static final List<String> FILES =
            List.of("segment", "OFFSET", "TIMESTAMP", "PRODUCER_SNAPSHOT", "LEADER_EPOCH", CUSTOM_METADATA);
    private static final Pattern KEY = Pattern.compile("(?:.*/)?([A-Za-z0-9_-]{22})/([0-9]{1,10})/([A-Za-z0-9_-]{22})/"
            + "(segment|OFFSET|TIMESTAMP|PRODUCER_SNAPSHOT|LEADER_EPOCH|TRANSACTION|custom-metadata)");
    private static final int MOST_CUSTOM_BYTES = 1024 * 1024;

    public DirectoryLayout() {
        super("segment", "LEADER_EPOCH", "TRANSACTION");
    }

    @Override
    public String name() {
        return "directory";
    }

    @Override
    public Optional<ObjectName> parse(String key) {
        Matcher matcher = KEY.matcher(key);
        return matcher.matches()
                ? Keys.name(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4))
                : Optional.empty();
    }

    @Override
    public Set<String> required() {
        return Set.copyOf(FILES);
    }

    @Override
    public List<String> keys(
            String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        String common = prefix + TextualId.of(topicId) + "/" + partition + "/" + TextualId.of(segmentId) + "/";
        return FILES.stream().map(common::concat).toList();
    }

    @Override
    @Nullable
    String topic(StoredObject log) {
        return null;
    }

    @Override
    long startOffset(StoredObject log) {
        return -1;
    }

    @Override
    CustomMetadata customMetadata(StoredSegment segment, ObjectContents contents) throws IOException {
        try (InputStream in = contents.open(segment.object(CUSTOM_METADATA).key())) {
            return CustomMetadata.of(in.readNBytes(MOST_CUSTOM_BYTES));
        }
    }
}
