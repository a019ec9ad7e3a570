package dev.shelfmark.tool.migrate.exporting;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;

/**
 * Writes a line of JSON for each event: where the record goes, what it says, and its value as Kafka's serde writes it, in Base64. The
 * file appears under its name only when it is complete.
 */
public final class FileSink implements EventSink {

    private final Path file;
    private final Path unfinished;
    private final BufferedWriter out;
    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
    private final ObjectMapper json = new ObjectMapper();

    public FileSink(Path file) {
        this.file = file;
        this.unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        if (Files.exists(file)) {
            throw ToolFailure.usage(file + " is there already; name another file");
        }
        try {
            this.out = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw ToolFailure.usage("can't write to " + unfinished + ": " + FileErrors.reason(e), e);
        }
    }

    @Override
    public void write(int metadataPartition, RemoteLogMetadata event) {
        TopicIdPartition partition = event.topicIdPartition();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("metadataPartition", metadataPartition);
        line.put("topic", partition.topic());
        line.put("topicId", partition.topicId().toString());
        line.put("partition", partition.partition());
        if (event instanceof RemoteLogSegmentMetadata added) {
            line.put("segmentId", added.remoteLogSegmentId().id().toString());
            line.put("event", added.state().toString());
            line.put("startOffset", added.startOffset());
            line.put("endOffset", added.endOffset());
        } else if (event instanceof RemoteLogSegmentMetadataUpdate update) {
            line.put("segmentId", update.remoteLogSegmentId().id().toString());
            line.put("event", update.state().toString());
        } else if (event instanceof RemotePartitionDeleteMetadata deletion) {
            line.put("event", deletion.state().toString());
        }
        line.put("value", Base64.getEncoder().encodeToString(serde.serialize(event)));
        try {
            out.write(json.writeValueAsString(line));
            out.newLine();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Gives the file its name. */
    public void complete() {
        try {
            out.close();
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ToolFailure failed(IOException e) {
        return ToolFailure.usage("can't write to " + unfinished + ": " + FileErrors.reason(e), e);
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
