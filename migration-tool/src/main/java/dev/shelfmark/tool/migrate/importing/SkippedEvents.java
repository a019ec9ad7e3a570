package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.tool.console.Json;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.SkipReason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;

/**
 * The events that changed nothing, a line of JSON each, for review. Appended to: an import that is resumed goes on in the same file, and
 * an event may stand in it twice when it was killed in between. The file is made with the first event.
 */
public final class SkippedEvents implements AutoCloseable {

    private final @Nullable Path file;
    private @Nullable BufferedWriter writer;
    private long count;

    private SkippedEvents(@Nullable Path file) {
        this.file = file;
    }

    /** Where an import keeps them unless it is told otherwise. */
    public static Path defaultFile(String clusterId) {
        return Path.of("shelfmark-skipped-" + clusterId.replaceAll("[^A-Za-z0-9_-]", "_") + ".jsonl");
    }

    /** Kept in a file. */
    public static SkippedEvents in(Path file) {
        return new SkippedEvents(file);
    }

    /** Kept nowhere. */
    static SkippedEvents discarded() {
        return new SkippedEvents(null);
    }

    void add(MetadataRecord record, @Nullable TopicIdPartition partition, SkipReason reason, String detail) {
        if (file == null) {
            return;
        }
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("metadataPartition", record.partition());
        line.put("offset", record.offset());
        line.put("written", Instant.ofEpochMilli(record.timestampMs()).toString());
        line.put("reason", reason.name());
        line.put("detail", detail);
        if (partition != null) {
            line.put("topic", partition.topic());
            line.put("topicId", partition.topicId().toString());
            line.put("partition", partition.partition());
        }
        byte[] value = record.value();
        line.put("value", value == null ? null : Base64.getEncoder().encodeToString(value));
        try {
            BufferedWriter open = writer;
            if (open == null) {
                open = Files.newBufferedWriter(
                        file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                writer = open;
            }
            open.write(Json.line(line));
            open.write('\n');
            count++;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Before what follows from them is loaded, so that a kill loses none. */
    void flush() {
        try {
            if (writer != null) {
                writer.flush();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ToolFailure failed(IOException cause) {
        return ToolFailure.usage(
                "the skipped events can't be written to " + file + " (" + FileErrors.reason(cause)
                        + "); choose another place with --skipped-events and run the same command again",
                cause);
    }

    /** How many this run has added. */
    public long count() {
        return count;
    }

    @Override
    public void close() {
        try {
            if (writer != null) {
                writer.close();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
