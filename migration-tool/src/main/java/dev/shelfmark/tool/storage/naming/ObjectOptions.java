package dev.shelfmark.tool.storage.naming;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
            paramLabel = "LAYOUT",
            description = "How the RemoteStorageManager names its objects: aiven, directory (of the quickstart),"
                    + " local-tiered-storage (Kafka's own), or that of a jar in lib/. Or an object's key behind the prefix, with the"
                    + " placeholders {topic}, {topicId}, {partition}, {offset} (20 digits), {segmentId} and {file}.")
    private @Nullable String layout;

    @Option(
            names = "--files",
            paramLabel = "FILE",
            split = ",",
            description = "With a --layout of placeholders: what {file} stands for in a segment that is whole.")
    private List<String> files = new ArrayList<>();

    public String prefix() {
        return prefix;
    }

    /** The layout that they name. */
    public ObjectLayout layout() {
        return named().orElseThrow(() -> ToolFailure.usage("how are the objects named? Give --layout with one of "
                + SegmentLayout.all().keySet() + ", or with placeholders such as {topicId} and {segmentId}"));
    }

    /** The layout that they name, or, when they name none, every one that is known. */
    public List<ObjectLayout> layoutOrAll() {
        return named().map(List::of)
                .orElseGet(() -> SegmentLayout.all().values().stream()
                        .<ObjectLayout>map(NamedLayout::new)
                        .toList());
    }

    /** The layout that they name; empty when they name none. */
    public Optional<ObjectLayout> named() {
        if (layout == null) {
            if (!files.isEmpty()) {
                throw ToolFailure.usage("--files is for a --layout of placeholders, such as {segmentId}");
            }
            return Optional.empty();
        }
        return Optional.of(layout.contains("{") ? ofPlaceholders(layout) : known(layout));
    }

    private ObjectLayout known(String name) {
        SegmentLayout known = SegmentLayout.all().get(name);
        if (known == null) {
            throw ToolFailure.usage("--layout: there is no layout '" + name + "'; there are "
                    + SegmentLayout.all().keySet() + ", and keys with placeholders such as {segmentId}");
        }
        if (!files.isEmpty()) {
            throw ToolFailure.usage(
                    "--files is for a --layout of placeholders; the files of the layout '" + name + "' are known");
        }
        return new NamedLayout(known);
    }

    private ObjectLayout ofPlaceholders(String pattern) {
        boolean several = pattern.contains("{file}");
        if (several && files.isEmpty()) {
            throw ToolFailure.usage("what does {file} stand for? Give --files, such as --files log,indexes");
        }
        try {
            return new PatternLayout(pattern, several ? files : List.of(""));
        } catch (IllegalArgumentException e) {
            throw ToolFailure.usage("--layout: " + e.getMessage());
        }
    }

    /** The keys of a segment's objects, with a blank between them; null when no layout is named. */
    public @Nullable String keys(Optional<ObjectLayout> named, PartitionSummary partition, SegmentRecord segment) {
        return named.map(of -> String.join(
                        " ",
                        of.keys(
                                prefix,
                                partition.topicName(),
                                partition.key().topicId(),
                                partition.key().partition(),
                                segment.startOffset(),
                                segment.segmentId())))
                .orElse(null);
    }
}
