package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.ObjectContents;
import dev.shelfmark.tool.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Version 1 of the layout of Aiven's RemoteStorageManager: {@code PREFIX TOPIC-TOPICID/PARTITION/OFFSET-SEGMENTID} with {@code .log}, {@code
 * .indexes} and {@code .rsm-manifest}. The manifest is uploaded last and describes the segment; it is never encrypted.
 */
public final class AivenLayout implements SegmentLayout {

    static final String LOG = "log";
    static final String INDEXES = "indexes";
    static final String MANIFEST = "rsm-manifest";

    private static final List<String> FILES = List.of(LOG, INDEXES, MANIFEST);

    /** From the right: ids hold the characters that separate, and the prefix is put before the topic's name as it is. */
    private static final Pattern KEY = Pattern.compile("(?s)(.*)-([A-Za-z0-9_-]{22})/([0-9]{1,10})/([0-9]{20})-"
            + "([A-Za-z0-9_-]{22})\\.(log|indexes|rsm-manifest)");

    /** A manifest has some hundred bytes for each thousand chunks; what is larger is none. */
    private static final int MOST_MANIFEST_BYTES = 32 * 1024 * 1024;

    private final Set<AivenCustomMetadata> kept;

    public AivenLayout() {
        this(EnumSet.noneOf(AivenCustomMetadata.class));
    }

    private AivenLayout(Set<AivenCustomMetadata> kept) {
        this.kept = kept;
    }

    @Override
    public String name() {
        return "aiven";
    }

    @Override
    public SegmentLayout with(LayoutSettings settings) {
        return new AivenLayout(settings.customMetadata().stream()
                .map(AivenCustomMetadata::of)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(AivenCustomMetadata.class))));
    }

    @Override
    public Optional<ObjectName> parse(String key) {
        Matcher matcher = KEY.matcher(key);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Keys.name(matcher.group(2), matcher.group(3), matcher.group(5), matcher.group(6));
    }

    @Override
    public Set<String> required() {
        return Set.copyOf(FILES);
    }

    @Override
    public List<String> keys(
            String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        List<String> keys = new ArrayList<>();
        for (String file : FILES) {
            keys.add(prefix + mainPath(topic, topicId, partition, startOffset, segmentId) + "." + file);
        }
        return keys;
    }

    private static String mainPath(String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        return topic + "-" + TextualId.of(topicId) + "/" + partition + "/" + "%020d".formatted(startOffset) + "-"
                + TextualId.of(segmentId);
    }

    @Override
    public SegmentDescription describe(StoredSegment segment, ObjectContents contents)
            throws UnreadableSegmentException, IOException {
        StoredObject object = segment.object(MANIFEST);
        AivenManifest manifest;
        try (InputStream in = contents.open(object.key())) {
            manifest = AivenManifest.parse(in.readNBytes(MOST_MANIFEST_BYTES));
        }
        if (!manifest.name().equals(segment.name())) {
            throw new UnreadableSegmentException("the manifest " + object.key() + " describes the segment "
                    + manifest.name() + ", which is not the one that its key names");
        }
        String mainPath = mainPath(
                manifest.topic(),
                segment.name().topicId(),
                segment.name().partition(),
                manifest.startOffset(),
                segment.name().segmentId());
        String log = segment.object(LOG).key();
        if (!log.endsWith(mainPath + "." + LOG)) {
            throw new UnreadableSegmentException("the manifest " + object.key() + " is of topic " + manifest.topic()
                    + " and start offset " + manifest.startOffset() + ", but the log is " + log);
        }
        String prefix = log.substring(0, log.length() - mainPath.length() - LOG.length() - 1);
        CustomMetadata custom = AivenCustomMetadata.encode(kept, segment.size(), prefix, mainPath);
        long modified =
                object.lastModified() == null ? -1 : object.lastModified().toEpochMilli();
        return manifest.description(custom, modified);
    }
}
