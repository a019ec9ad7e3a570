package dev.shelfmark.tool.storage;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how the RemoteStorageManager names its objects. */
public final class ObjectOptions {

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "What the RemoteStorageManager puts before every object's key (its key.prefix).")
    private String prefix = "";

    @Option(
            names = "--layout",
            paramLabel = "PATTERN",
            description = "An object's key behind the prefix, with the placeholders {topic}, {topicId}, {partition},"
                    + " {offset} (20 digits), {segmentId} and {file}. The default is that of Aiven's RemoteStorageManager,"
                    + " {topic}-{topicId}/{partition}/{offset}-{segmentId}.{file}.")
    private @Nullable String layout;

    @Option(
            names = "--files",
            paramLabel = "FILE",
            split = ",",
            description = "What {file} stands for in a segment that is whole. The default is log,indexes,rsm-manifest.")
    private List<String> files = new ArrayList<>();

    public String prefix() {
        return prefix;
    }

    public ObjectLayout layout() {
        if (layout == null && files.isEmpty()) {
            return ObjectLayout.AIVEN;
        }
        String pattern = layout == null ? ObjectLayout.AIVEN.pattern() : layout;
        List<String> every = files.isEmpty() ? ObjectLayout.AIVEN.files() : files;
        try {
            return new ObjectLayout(pattern, pattern.contains("{file}") ? every : List.of(""));
        } catch (IllegalArgumentException e) {
            throw ToolFailure.usage("--layout: " + e.getMessage());
        }
    }

    /** The keys of a segment's objects. */
    public List<String> keys(ObjectLayout of, PartitionSummary partition, SegmentRecord segment) {
        return of.keys(
                prefix,
                partition.topicName(),
                partition.key().topicId(),
                partition.key().partition(),
                segment.startOffset(),
                segment.segmentId());
    }
}
