package dev.shelfmark.tool.storage.naming;

import dev.shelfmark.store.TextualId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a RemoteStorageManager names its objects, as an operator tells it: a pattern of the segment's fields, and the files that every segment has.
 */
public final class PatternLayout implements ObjectLayout {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^}]*)}");
    private static final Map<String, String> REGEX = new LinkedHashMap<>(Map.of(
            "topic", "[^/]+",
            "topicId", "[A-Za-z0-9_-]{22}",
            "partition", "[0-9]+",
            "offset", "[0-9]+",
            "segmentId", "[A-Za-z0-9_-]{22}",
            "file", "[A-Za-z0-9._-]+"));

    private final String pattern;
    private final List<String> files;
    private final Pattern regex;

    /**
     * A layout.
     *
     * @param pattern an object's key behind the prefix, with the placeholders {@code {topic}}, {@code {topicId}}, {@code {partition}},
     *     {@code {offset}} (20 digits), {@code {segmentId}} and {@code {file}}
     * @param files what {@code {file}} stands for in a segment that is whole
     * @throws IllegalArgumentException when the pattern names another placeholder, or no segment id
     */
    public PatternLayout(String pattern, List<String> files) {
        this.pattern = pattern;
        this.files = List.copyOf(files);
        StringBuilder text = new StringBuilder();
        Matcher placeholders = PLACEHOLDER.matcher(pattern);
        List<String> seen = new ArrayList<>();
        int at = 0;
        while (placeholders.find()) {
            String name = placeholders.group(1);
            String part = REGEX.get(name);
            if (part == null) {
                throw new IllegalArgumentException(
                        "'" + pattern + "' has the unknown placeholder {" + name + "}; there are " + REGEX.keySet());
            }
            text.append(Pattern.quote(pattern.substring(at, placeholders.start())));
            text.append(seen.contains(name) ? "\\k<" + name + ">" : "(?<" + name + ">" + part + ")");
            seen.add(name);
            at = placeholders.end();
        }
        text.append(Pattern.quote(pattern.substring(at))).append('$');
        if (!seen.contains("segmentId")) {
            throw new IllegalArgumentException("'" + pattern + "' does not name the segment: it needs {segmentId}");
        }
        if (!seen.contains("file") && files.size() > 1) {
            throw new IllegalArgumentException(
                    "'" + pattern + "' has no {file}, so that a segment has one object only, but files are " + files);
        }
        this.regex = Pattern.compile(text.toString());
    }

    @Override
    public String description() {
        return pattern;
    }

    @Override
    public List<String> files() {
        return files;
    }

    @Override
    public List<String> keys(
            String prefix, String topic, UUID topicId, int partition, long startOffset, UUID segmentId) {
        String common = pattern.replace("{topic}", topic)
                .replace("{topicId}", TextualId.of(topicId))
                .replace("{partition}", Integer.toString(partition))
                .replace("{offset}", "%020d".formatted(startOffset))
                .replace("{segmentId}", TextualId.of(segmentId));
        return files.stream()
                .map(file -> prefix + common.replace("{file}", file))
                .toList();
    }

    @Override
    public Optional<ObjectName> parse(String key) {
        Matcher matcher = regex.matcher(key);
        if (!matcher.find()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ObjectName(
                    TextualId.parse(matcher.group("segmentId")),
                    pattern.contains("{topicId}") ? TextualId.parse(matcher.group("topicId")) : null,
                    pattern.contains("{file}") ? matcher.group("file") : ""));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
