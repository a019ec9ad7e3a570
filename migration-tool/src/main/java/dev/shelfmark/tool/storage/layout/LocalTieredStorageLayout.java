package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The directories of Kafka's own {@code LocalTieredStorage}: {@code TOPIC-PARTITION-TOPICID/OFFSET-SEGMENTID.FILE}. */
public final class LocalTieredStorageLayout extends CheckpointLayout {

    private static final List<String> FILES =
            List.of("log", "index", "timeindex", "leader_epoch_checkpoint", "snapshot");
    private static final Pattern KEY =
            Pattern.compile("(?:.*/)?([A-Za-z0-9._-]+)-([0-9]{1,10})-([A-Za-z0-9_-]{22})/([0-9]{20})-"
                    + "([A-Za-z0-9_-]{22})\\.(log|index|timeindex|txnindex|leader_epoch_checkpoint|snapshot)");

    public LocalTieredStorageLayout() {
        super("log", "leader_epoch_checkpoint", "txnindex");
    }

    @Override
    public String name() {
        return "local-tiered-storage";
    }

    @Override
    public Optional<ObjectName> parse(String key) {
        Matcher matcher = KEY.matcher(key);
        return matcher.matches()
                ? Keys.name(matcher.group(3), matcher.group(2), matcher.group(5), matcher.group(6))
                : Optional.empty();
    }

    @Override
    public Set<String> required() {
        return Set.copyOf(FILES);
    }

    @Override
    public List<String> keys(
            String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        String common = prefix + topic + "-" + partition + "-" + TextualId.of(topicId) + "/"
                + "%020d".formatted(startOffset) + "-" + TextualId.of(segmentId) + ".";
        return FILES.stream().map(common::concat).toList();
    }

    @Override
    @Nullable
    String topic(StoredObject log) {
        Matcher matcher = KEY.matcher(log.key());
        return matcher.matches() ? matcher.group(1) : null;
    }

    @Override
    long startOffset(StoredObject log) {
        Matcher matcher = KEY.matcher(log.key());
        return matcher.matches() ? Long.parseLong(matcher.group(4)) : -1;
    }
}
