package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.console.Json;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what is done with each segment, a line of JSON each. */
final class PlanFile implements AutoCloseable {

    private final Path file;
    private final Writer out;

    PlanFile(Path file) {
        this.file = file;
        try {
            this.out = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    void write(String topic, PlannedSegment planned) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("action", planned.action().column());
        line.put("topic", topic);
        line.put("topicId", TextualId.of(planned.found().name().topicId()));
        line.put("partition", planned.found().name().partition());
        line.put("segmentId", TextualId.of(planned.found().name().segmentId()));
        SegmentDescription description = planned.found().description();
        if (description != null) {
            line.put("startOffset", description.startOffset());
            line.put("endOffset", description.endOffset());
            line.put("leaderEpochs", description.leaderEpochs().toMap());
            line.put("maxTimestampMs", description.maxTimestampMs());
            line.put("sizeInBytes", description.sizeInBytes());
            line.put("txnIndexEmpty", description.txnIndexEmpty());
            line.put("finishedMs", description.finishedMs());
        }
        line.put("reason", planned.reason());
        line.put("notes", planned.notes());
        try {
            out.write(Json.line(line));
            out.write('\n');
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ToolFailure failed(IOException e) {
        return ToolFailure.usage("--plan: can't write " + file + ": " + FileErrors.reason(e), e);
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
